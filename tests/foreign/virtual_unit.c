/* The reference firmware of firmware_sim/reference at the far end of a line whose time the test gives, in microseconds. */
#include "cabinet.h"
#include <stdlib.h>

struct bench {
    struct cabinet cabinet;
    struct rtu serial;
    struct mbap stream;
    bool is_tcp;
    size_t count; /* of bytes that wait to be taken */
    uint8_t out[4096];
};

static void answer(struct bench *bench, const struct frame *question, uint64_t now)
{
    uint8_t message[MOST_MESSAGE], *end = bench->out + bench->count;
    cabinet_run(&bench->cabinet, (uint32_t)(now / 1000));
    size_t size = cabinet_answer(&bench->cabinet, question, message);
    if (size > 0 && bench->count + MOST_FRAME <= sizeof bench->out)
        bench->count += bench->is_tcp ? mbap_wrap(question, message, size, end)
                                      : rtu_wrap(question->unit, message, size, end);
}

struct bench *bench_new(const char *words, bool is_tcp, uint32_t baud, uint32_t random)
{
    struct bench *bench = calloc(1, sizeof *bench);
    struct make make;
    bench->is_tcp = is_tcp;
    bench->serial.silence = rtu_silence(baud);
    bench->cabinet.random = random;
    if (make_of(words, &make))
        cabinet_add(&bench->cabinet, &make, -1);
    return bench;
}

void bench_free(struct bench *bench)
{
    free(bench);
}

void bench_receive(struct bench *bench, const uint8_t *bytes, size_t count, uint64_t now)
{
    struct frame question;
    for (size_t i = 0; i < count; i++) {
        if (!bench->is_tcp) {
            rtu_hear(&bench->serial, bytes[i], (uint32_t)now);
            continue;
        }
        bench->stream.bytes[bench->stream.count++] = bytes[i];
        if (mbap_take(&bench->stream, &question) == MBAP_FRAME)
            answer(bench, &question, now);
    }
}

void bench_tick(struct bench *bench, uint64_t now)
{
    struct frame question;
    if (rtu_take(&bench->serial, (uint32_t)now, &question))
        answer(bench, &question, now);
}

size_t bench_send(struct bench *bench, uint8_t *bytes)
{
    size_t count = bench->count;
    for (size_t i = 0; i < count; i++)
        bytes[i] = bench->out[i];
    bench->count = 0;
    return count;
}

/* How long after its last byte the line has to be silent; 0 when nothing waits for that. */
uint32_t bench_silence(const struct bench *bench)
{
    return bench->serial.count > 0 ? bench->serial.silence : 0;
}

void bench_obey(struct bench *bench, const char *words, char *said, uint64_t now)
{
    cabinet_run(&bench->cabinet, (uint32_t)(now / 1000));
    cabinet_obey(&bench->cabinet, words, said);
}
