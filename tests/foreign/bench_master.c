/* Debian's libmodbus as a master in a hurry: COUNT reads of WORDS words, and what they cost it.
   bench_master DEVICE BAUD UNIT ADDRESS WORDS COUNT -> "seconds cpu_seconds" */
#include <modbus.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec + now.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
    if (argc != 7)
        return 2;
    modbus_t *ctx = modbus_new_rtu(argv[1], atoi(argv[2]), 'N', 8, 1);
    uint16_t words[125];
    int address = atoi(argv[4]), length = atoi(argv[5]), count = atoi(argv[6]);
    if (!ctx || modbus_set_slave(ctx, atoi(argv[3])) || modbus_connect(ctx))
        return 1;
    modbus_set_response_timeout(ctx, 1, 0);
    double start = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int i = 0; i < count; i++)
        if (modbus_read_registers(ctx, address, length, words) != length)
            return 1;
    printf("%f %f\n", seconds(CLOCK_MONOTONIC) - start, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
    return 0;
}
