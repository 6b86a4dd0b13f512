/* The two ways in which messages stand on a wire (1.7): Modbus RTU and Modbus TCP. No port and no clock here either. */
#ifndef FRAMING_H
#define FRAMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_MESSAGE = 253, MOST_FRAME = 260 };

struct frame {
    uint8_t head[6]; /* of TCP: transaction and protocol, as they came */
    uint8_t unit;
    size_t size;
    uint8_t message[MOST_MESSAGE];
};

/* Bytes of a serial line since its last silence. */
struct rtu {
    uint32_t silence; /* t3.5 in microseconds */
    uint32_t heard_at;
    size_t count;
    bool is_too_long;
    uint8_t bytes[256];
};

uint32_t rtu_silence(uint32_t baud);
void rtu_hear(struct rtu *line, uint8_t byte, uint32_t now);
/* Whether the line has been silent for t3.5 after something that was a whole frame. */
bool rtu_take(struct rtu *line, uint32_t now, struct frame *frame);
size_t rtu_wrap(uint8_t unit, const uint8_t *message, size_t size, uint8_t *bytes);

struct mbap {
    size_t count;
    uint8_t bytes[MOST_FRAME];
};

enum mbap_look { MBAP_UNFINISHED, MBAP_FRAME, MBAP_NONSENSE };

/* How many more bytes may be put at `bytes + count`. */
size_t mbap_room(const struct mbap *stream);
/* Nonsense cannot be resynchronised: the connection has to be closed. */
enum mbap_look mbap_take(struct mbap *stream, struct frame *frame);
size_t mbap_wrap(const struct frame *question, const uint8_t *message, size_t size, uint8_t *bytes);

#endif
