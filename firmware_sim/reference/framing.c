/* RTU finds its frames by silence: t3.5 ends one, whatever came before it, and what is too long, too short or has a wrong
   checksum was none. No t1.5 is demanded from the host. TCP finds them by their length. */
#include "framing.h"
#include "unit.h"

enum { BITS_OF_A_CHARACTER = 11, SECOND = 1000000, MBAP_HEAD = 7 };

/* 3.5 characters, rounded up: an answer must not come sooner. Above 19200 baud a fixed 1.75 ms. */
uint32_t rtu_silence(uint32_t baud)
{
    return baud > 19200 ? 1750 : (BITS_OF_A_CHARACTER * (SECOND / 2 * 7) + baud - 1) / baud;
}

void rtu_hear(struct rtu *line, uint8_t byte, uint32_t now)
{
    if (line->count > 0 && now - line->heard_at >= line->silence)
        line->count = 0, line->is_too_long = false;
    if (line->count == sizeof line->bytes)
        line->is_too_long = true;
    else
        line->bytes[line->count++] = byte;
    line->heard_at = now;
}

static uint16_t crc_of(const uint8_t *bytes, size_t size)
{
    uint16_t crc = 0xFFFF;
    for (size_t i = 0; i < size; i++)
        crc = crc16(crc, bytes[i]);
    return crc;
}

bool rtu_take(struct rtu *line, uint32_t now, struct frame *frame)
{
    if (line->count == 0 || now - line->heard_at < line->silence)
        return false;
    size_t count = line->is_too_long ? 0 : line->count;
    line->count = 0;
    line->is_too_long = false;
    if (count < 4 || crc_of(line->bytes, count) != 0)
        return false;
    frame->unit = line->bytes[0];
    frame->size = count - 3;
    for (size_t i = 0; i < frame->size; i++)
        frame->message[i] = line->bytes[1 + i];
    return true;
}

size_t rtu_wrap(uint8_t unit, const uint8_t *message, size_t size, uint8_t *bytes)
{
    bytes[0] = unit;
    for (size_t i = 0; i < size; i++)
        bytes[1 + i] = message[i];
    uint16_t crc = crc_of(bytes, size + 1);
    bytes[size + 1] = (uint8_t)crc;
    bytes[size + 2] = (uint8_t)(crc >> 8);
    return size + 3;
}

/* What follows the head is asked for only when the head is there. */
size_t mbap_room(const struct mbap *stream)
{
    if (stream->count < MBAP_HEAD)
        return MBAP_HEAD - stream->count;
    size_t length = (size_t)stream->bytes[4] << 8 | stream->bytes[5];
    return 6 + length - stream->count;
}

enum mbap_look mbap_take(struct mbap *stream, struct frame *frame)
{
    if (stream->count < MBAP_HEAD)
        return MBAP_UNFINISHED;
    size_t length = (size_t)stream->bytes[4] << 8 | stream->bytes[5];
    if (stream->bytes[2] || stream->bytes[3] || length < 2 || length > MOST_MESSAGE + 1)
        return MBAP_NONSENSE;
    if (stream->count < 6 + length)
        return MBAP_UNFINISHED;
    for (size_t i = 0; i < sizeof frame->head; i++)
        frame->head[i] = stream->bytes[i];
    frame->unit = stream->bytes[6];
    frame->size = length - 1;
    for (size_t i = 0; i < frame->size; i++)
        frame->message[i] = stream->bytes[MBAP_HEAD + i];
    stream->count = 0;
    return MBAP_FRAME;
}

size_t mbap_wrap(const struct frame *question, const uint8_t *message, size_t size, uint8_t *bytes)
{
    for (size_t i = 0; i < 4; i++)
        bytes[i] = question->head[i];
    bytes[4] = (uint8_t)((size + 1) >> 8);
    bytes[5] = (uint8_t)(size + 1);
    bytes[6] = question->unit;
    for (size_t i = 0; i < size; i++)
        bytes[MBAP_HEAD + i] = message[i];
    return MBAP_HEAD + size;
}
