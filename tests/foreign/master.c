/* A foreign host on Debian's libmodbus: it walks the contract on one unit and says each thing it saw.
   master rtu DEVICE BAUD UNIT OTHER | master tcp PORT UNIT OTHER. OTHER is a unit that is not there.
   Exit 0 and a last line "good" only when all was as docs/device-contract.md says. */
#include <errno.h>
#include <modbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "contract.h"

static modbus_t *ctx;

#define MUST(what, holds)                                                                     \
    do {                                                                                      \
        if (!(holds)) {                                                                       \
            printf("BAD %s: %s\n", what, errno ? modbus_strerror(errno) : "not as it must be"); \
            exit(1);                                                                          \
        }                                                                                     \
        printf("%s\n", what);                                                                 \
        errno = 0;                                                                            \
    } while (0)

static int block(int start, int count, int tag, int place, uint16_t *words) {
    return modbus_read_registers(ctx, start, count, words) == count && words[0] == tag &&
           (place < 0 || words[place] == check_of(words, count, place));
}

static void write_desired(uint16_t *d, int token, int heartbeat, int lock) {
    memset(d, 0, 16);
    d[0] = token;
    d[1] = heartbeat;
    d[2] = lock;
    d[3] = 77;
    d[7] = check_of(d, 8, 7);
}

static int refused(int answer, int code) {
    int so = answer == -1 && errno == code;
    errno = 0;
    return so;
}

static int silent(int answer) {
    int so = answer == -1 && errno == ETIMEDOUT;
    errno = 0;
    modbus_flush(ctx);
    return so;
}

int main(int argc, char **argv) {
    uint16_t i[32], a[124], s[32], e[100], c[32], d[8], k[8];
    int rtu = argc == 6 && !strcmp(argv[1], "rtu"), unit = atoi(argv[argc - 2]), other = atoi(argv[argc - 1]);
    ctx = rtu ? modbus_new_rtu(argv[2], atoi(argv[3]), 'N', 8, 1) : modbus_new_tcp("127.0.0.1", atoi(argv[2]));
    modbus_set_response_timeout(ctx, 0, 400000);
    errno = 0;
    MUST("connected", ctx && !modbus_set_slave(ctx, unit) && !modbus_connect(ctx));
    MUST("identity", block(IDENTITY, 32, MAGIC, 31, i) && i[1] == 0x0101 && i[5] >> 8 == unit);
    int seats = i[4], words = 16 + 12 * seats;
    MUST("fast poll", block(FAST_POLL, words, TAG_POLL, 15, a) && a[1] == (unit << 8 | seats) && a[3] == i[0x10]);
    MUST("starts locked", (a[6] & 0xF) != OPEN);
    for (int seat = 1; seat <= seats; seat++)
        MUST("detail", block(DETAIL + 0x100 * (seat - 1), 32, TAG_DETAIL, 31, s) && s[1] == (unit << 8 | seat));
    MUST("ring", block(RING, 100, TAG_RING, -1, e) && e[1] == unit);
    MUST("config", block(CONFIG, 32, TAG_CONFIG, 31, c) && c[31] == i[0xC]);
    uint16_t before = a[2];
    MUST("input registers show the same", modbus_read_input_registers(ctx, FAST_POLL, words, a) == words);
    MUST("snapshot counts", a[2] != before);
    MUST("unknown address is exception 02", refused(modbus_read_registers(ctx, 0x5000, 1, s), EMBXILADD));
    MUST("a read past its block is exception 02", refused(modbus_read_registers(ctx, IDENTITY, 33, s), EMBXILADD));
    MUST("function 06 is exception 01", refused(modbus_write_register(ctx, DESIRED, 1), EMBXILFUN));
    MUST("function 05 is exception 01", refused(modbus_write_bit(ctx, 0, 1), EMBXILFUN));
    write_desired(d, 0, 1, LOCK);
    MUST("lock without a session", modbus_write_registers(ctx, DESIRED, 8, d) == 8);
    MUST("half a block is exception 03", refused(modbus_write_registers(ctx, DESIRED, 4, d), EMBXILVAL));
    d[7] ^= 1;
    MUST("a bad check word is exception 03", refused(modbus_write_registers(ctx, DESIRED, 8, d), EMBXILVAL));

    memset(k, 0, sizeof k);
    k[0] = a[0xD] + 1 ? a[0xD] + 1 : 1;
    k[1] = OPEN_SESSION << 8;
    k[4] = 0xCAFE;
    k[5] = 0xF00D;
    k[7] = check_of(k, 8, 7);
    uint16_t token = a[0xC];
    MUST("open session", modbus_write_registers(ctx, COMMAND, 8, k) == 8);
    MUST("session answered", block(FAST_POLL, words, TAG_POLL, 15, a) && a[0xD] == k[0] && a[0xE] >> 8 == DONE);
    MUST("new token, owned, locked", a[0xC] != token && a[0xC] && a[6] & 1 << 4 && (a[6] & 0xF) != OPEN);
    write_desired(d, token, 1, UNLOCK);
    MUST("unlock with the old token", modbus_write_registers(ctx, DESIRED, 8, d) == 8);
    MUST("is not executed", block(FAST_POLL, words, TAG_POLL, 15, a) && (a[6] & 0xF) != OPEN);
    write_desired(d, a[0xC], 1, UNLOCK);
    MUST("unlock", modbus_write_registers(ctx, DESIRED, 8, d) == 8);
    MUST("is executed", block(FAST_POLL, words, TAG_POLL, 15, a) && (a[6] & 0xF) == OPEN);
    if (i[3] & 1 << 11) {
        write_desired(d, a[0xC], 2, LOCK);
        MUST("write and read in one", modbus_write_and_read_registers(ctx, DESIRED, 8, d, FAST_POLL, words, a) == words);
        MUST("shows the lock", (a[6] & 0xF) == LOCKED && a[15] == check_of(a, words, 15));
        write_desired(d, a[0xC], 3, UNLOCK);
        d[3] = 78;
        d[7] = check_of(d, 8, 7);
        MUST("unlock again", modbus_write_registers(ctx, DESIRED, 8, d) == 8);
        MUST("is executed again", block(FAST_POLL, words, TAG_POLL, 15, a) && (a[6] & 0xF) == OPEN);
    }
    modbus_set_slave(ctx, other);
    MUST("nobody answers for another unit", silent(modbus_read_registers(ctx, IDENTITY, 32, s)));
    if (rtu) {
        write_desired(d, 0, 0, 0);
        modbus_set_slave(ctx, 0);
        MUST("nobody answers a broadcast", silent(modbus_write_registers(ctx, DESIRED, 8, d)));
        modbus_set_slave(ctx, unit);
        usleep(100000);
        MUST("the broadcast locked", block(FAST_POLL, words, TAG_POLL, 15, a) && (a[6] & 0xF) == LOCKED);
    }
    puts("good");
    return 0;
}
