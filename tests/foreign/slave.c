/* A foreign device on Debian's libmodbus: one electronic seat, its registers and just enough behaviour to hold a
   session: OPEN_SESSION, lock, unlock, heartbeat. No money moves here.
   slave rtu DEVICE BAUD UNIT | slave tcp PORT UNIT. Says "ready" once; ends with its standard input. */
#include <errno.h>
#include <modbus.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "contract.h"

static uint16_t *reg;
static int unit;
static long long fed;

static long long milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

static void seal(int start, int count, int place) { reg[start + place] = check_of(reg + start, count, place); }

static void put(int start, const uint16_t *words, int count) { memcpy(reg + start, words, count * sizeof *words); }

/* What a read must find: a new snapshot, the uptime and the age of the heartbeat. */
static void refresh(void) {
    long long now = milliseconds(), age = fed ? (now - fed) / 10 : 255;
    uint16_t *a = reg + FAST_POLL;
    a[2]++;
    a[4] = now >> 16;
    a[5] = now;
    a[0xE] = (a[0xE] & 0xFF00) | (age > 255 ? 255 : age);
    seal(FAST_POLL, 28, 0xF);
}

static void image(void) {
    const uint16_t identity[32] = {MAGIC, 0x0100, 1, 0x088D, 1, unit << 8 | 1, 0x00C0, 0xFFEE, 1, 1, 0, 7, 0, 1, 0, 3,
                                   0xBEEF, 1, 0, 12, 0x4C49, 0x424D, 0x4F44, 0x4255, 0x5300};
    const uint16_t poll[28] = {TAG_POLL, unit << 8 | 1, 0, 0xBEEF, 0, 0, 0, 0, 0, 42, 0, 40, 0x1234, 0, 0xFF, 0,
                               0x1C02, 0x0121, 18, 2, 0, 50, 0, 31, 0, 1, 0, 0};
    const uint16_t detail[32] = {TAG_DETAIL, unit << 8 | 1, 0, 20, 0, 0, 0, 0, 0, 16, 0, 0, 0, 40, 0x004D, 0x0200};
    const uint16_t config[32] = {TAG_CONFIG, 0, 100, 1, 2, 1, 2, 0, 0, 1, 30, 1500, 30, 1000, 10, 30, 30, 300, 384,
                                 0x0101, unit, 1, 1, 0, 0, 0, 0, 0, 0, 0, 7};
    const uint16_t ring[4] = {TAG_RING, unit, 0, 42};
    const uint16_t newest[8] = {0, 42, 0, 9, 0x0601, 1, 0, 3};
    put(IDENTITY, identity, 32);
    put(FAST_POLL, poll, 28);
    put(DETAIL, detail, 32);
    put(CONFIG, config, 32);
    put(RING, ring, 4);
    put(RING + 4 + 8 * (42 % 12), newest, 8);
    seal(CONFIG, 32, 31);
    reg[IDENTITY + 0xC] = reg[CONFIG + 31];
    seal(IDENTITY, 32, 31);
    seal(DETAIL, 32, 31);
    refresh();
}

static void lock_state(int state) { reg[FAST_POLL + 6] = (reg[FAST_POLL + 6] & 0xFFF0) | state; }

static void desired(void) {
    uint16_t *d = reg + DESIRED, *a = reg + FAST_POLL;
    static uint16_t heard;
    uint16_t newer = d[1] - heard;
    if (check_of(d, 8, 7) != d[7])
        return;
    if (d[2] != UNLOCK)
        lock_state(LOCKED);
    if (d[0] != a[0xC] || (fed && (newer == 0 || newer >= 0x8000)))
        return;
    heard = d[1];
    fed = milliseconds();
    if (d[2] == UNLOCK)
        lock_state(OPEN);
}

static void command(void) {
    uint16_t *k = reg + COMMAND, *a = reg + FAST_POLL;
    if (check_of(k, 8, 7) != k[7] || k[0] == a[0xD])
        return;
    a[0xD] = k[0];
    if (k[1] >> 8 == OPEN_SESSION) {
        a[0xC]++;
        a[6] |= 1 << 4;
        fed = 0;
        lock_state(LOCKED);
    }
    a[0xE] = DONE << 8 | (a[0xE] & 0xFF);
}

static void serve(modbus_t *ctx, modbus_mapping_t *map, int header) {
    uint8_t query[MODBUS_MAX_ADU_LENGTH];
    struct pollfd ends[2] = {{.fd = 0, .events = POLLIN}, {.fd = modbus_get_socket(ctx), .events = POLLIN}};
    while (poll(ends, 2, -1) > 0) {
        if (ends[0].revents)
            exit(0);
        int size = modbus_receive(ctx, query);
        if (size == -1 && (errno == ECONNRESET || errno == EBADF || errno == EIO))
            return;
        if (size <= 0)
            continue;
        int function = query[header], start = query[header + 1] << 8 | query[header + 2];
        if (function == 0x17) {
            /* FC23 writes first; libmodbus would read the image of before. So the write is looked at by itself. */
            int at = query[header + 5] << 8 | query[header + 6], count = query[header + 9] / 2;
            for (int i = 0; i < count && at + i < SPACE; i++)
                reg[at + i] = query[header + 10 + 2 * i] << 8 | query[header + 11 + 2 * i];
            if (at == DESIRED)
                desired();
        }
        refresh();
        modbus_reply(ctx, query, size, map);
        if (function == 0x10 && start == DESIRED)
            desired();
        if (function == 0x10 && start == COMMAND)
            command();
    }
}

int main(int argc, char **argv) {
    modbus_t *ctx;
    modbus_mapping_t *map = modbus_mapping_new(0, 0, SPACE, 0);
    int rtu = argc == 5 && !strcmp(argv[1], "rtu");
    if (!map || (!rtu && (argc != 4 || strcmp(argv[1], "tcp"))))
        return 2;
    unit = atoi(argv[argc - 1]);
    reg = map->tab_registers;
    image();
    ctx = rtu ? modbus_new_rtu(argv[2], atoi(argv[3]), 'N', 8, 1) : modbus_new_tcp("127.0.0.1", atoi(argv[2]));
    if (!ctx || modbus_set_slave(ctx, unit))
        return 3;
    if (rtu) {
        if (modbus_connect(ctx))
            return 4;
        puts("ready");
        fflush(stdout);
        serve(ctx, map, 1);
    } else {
        int listener = modbus_tcp_listen(ctx, 1);
        if (listener == -1)
            return 4;
        puts("ready");
        fflush(stdout);
        struct pollfd ends[2] = {{.fd = 0, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
        while (poll(ends, 2, -1) > 0 && !ends[0].revents && modbus_tcp_accept(ctx, &listener) != -1) {
            serve(ctx, map, 7);
            modbus_close(ctx);
        }
    }
    return 0;
}
