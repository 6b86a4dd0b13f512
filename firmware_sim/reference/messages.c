/* Questions and their answers (2.2): which function reads or writes which block, and what is refused with what.

   A write is examined whole before anything of it is done, so what is refused has had no effect. To unit 0 only a D is
   heard, and only its lock (2.3 D); nothing is ever answered. */
#include "unit.h"

enum { MOST_READ = 125, MOST_WRITTEN = 123, MOST_WRITTEN_AND_READ = 121, WORD_BYTES = 2 };

static unsigned u16_at(const uint8_t *bytes)
{
    return (unsigned)bytes[0] << 8 | bytes[1];
}

static size_t denied(const uint8_t *message, enum denial code, uint8_t *answer)
{
    answer[0] = message[0] | 0x80;
    answer[1] = (uint8_t)code;
    return 2;
}

bool is_sound_config(const struct unit *unit, const uint16_t *words)
{
    unsigned parity = words[C_PARITY_STOP] >> 8, stop_bits = words[C_PARITY_STOP] & 0xFF;
    return words[0] == TAG_CONFIG && words[C_CHECK] == check_of(words, BLOCK_WORDS, C_CHECK)
        && u32_of(&words[C_CREDIT_VALUE]) != 0 && words[C_LEAST] != 0 && words[C_LEAST] <= words[C_MOST]
        && words[C_CHIP_CREDITS] != 0 && words[C_HOST_TIMEOUT] >= 300 && words[C_HOST_TIMEOUT] <= 5000
        && words[C_CONFIRM_TIMEOUT] != 0 && words[C_LAMP_LEAST] <= words[C_LAMP_MOST] && parity <= 2
        && (stop_bits == 1 || stop_bits == 2) && words[C_UNIT] == unit->make->unit;
}

static bool has_good_check(const uint16_t *words)
{
    return words[WRITE_WORDS - 1] == check_of(words, WRITE_WORDS, WRITE_WORDS - 1);
}

/* Which refusal these words get at this address; 0: they may be written. */
static enum denial denial_of(const struct unit *unit, unsigned address, const uint16_t *words, unsigned count)
{
    if (address == AT_CONFIG)
        return count == BLOCK_WORDS && is_sound_config(unit, words) ? 0 : BAD_VALUE;
    if (address != AT_DESIRED && address != AT_COMMAND)
        return NO_ADDRESS;
    if (count != WRITE_WORDS || !has_good_check(words))
        return BAD_VALUE;
    return address == AT_COMMAND && words[K_ID] == 0 ? BAD_VALUE : 0;
}

static void write_block(struct unit *unit, bool to_all, unsigned address, const uint16_t *words)
{
    if (address == AT_DESIRED)
        obey_desired(unit, words, to_all);
    else if (to_all)
        return;
    else if (address == AT_COMMAND)
        obey_command(unit, words);
    else {
        for (unsigned i = 0; i < BLOCK_WORDS; i++)
            unit->staged[i] = words[i];
        unit->is_staged = true;
    }
    drive_lamps(unit); /* bet and lamp of the next A are of one instant (2.3 A) */
}

static void words_at(const uint8_t *bytes, unsigned count, uint16_t *words)
{
    for (unsigned i = 0; i < count; i++)
        words[i] = (uint16_t)u16_at(&bytes[WORD_BYTES * i]);
}

static size_t answered_words(uint8_t function, const uint16_t *words, unsigned count, uint8_t *answer)
{
    answer[0] = function;
    answer[1] = (uint8_t)(WORD_BYTES * count);
    for (unsigned i = 0; i < count; i++) {
        answer[2 + WORD_BYTES * i] = (uint8_t)(words[i] >> 8);
        answer[3 + WORD_BYTES * i] = (uint8_t)words[i];
    }
    return 2 + WORD_BYTES * count;
}

static size_t answer_read(struct unit *unit, const uint8_t *message, size_t size, uint8_t *answer)
{
    uint16_t words[MOST_WORDS];
    unsigned address, count;
    if (size != 5 || (count = u16_at(&message[3])) == 0 || count > MOST_READ)
        return denied(message, BAD_VALUE, answer);
    address = u16_at(&message[1]);
    if (!read_block(unit, address, count, words))
        return denied(message, NO_ADDRESS, answer);
    return answered_words(message[0], words, count, answer);
}

static size_t answer_write(struct unit *unit, bool to_all, const uint8_t *message, size_t size, uint8_t *answer)
{
    uint16_t words[MOST_WRITTEN];
    unsigned address, count;
    if (size < 6 || (count = u16_at(&message[3])) == 0 || count > MOST_WRITTEN || message[5] != WORD_BYTES * count
        || size != 6 + WORD_BYTES * count)
        return denied(message, BAD_VALUE, answer);
    address = u16_at(&message[1]);
    words_at(&message[6], count, words);
    enum denial denial = denial_of(unit, address, words, count);
    if (denial != 0)
        return denied(message, denial, answer);
    write_block(unit, to_all, address, words);
    for (unsigned i = 0; i < 5; i++)
        answer[i] = message[i];
    return 5;
}

/* When the read would be refused, nothing is written. */
static size_t answer_write_and_read(struct unit *unit, const uint8_t *message, size_t size, uint8_t *answer)
{
    uint16_t words[MOST_WORDS];
    unsigned count, written;
    if (size < 10 || (count = u16_at(&message[3])) == 0 || count > MOST_READ || (written = u16_at(&message[7])) == 0
        || written > MOST_WRITTEN_AND_READ || message[9] != WORD_BYTES * written || size != 10 + WORD_BYTES * written)
        return denied(message, BAD_VALUE, answer);
    unsigned from = u16_at(&message[1]), to = u16_at(&message[5]);
    words_at(&message[10], written, words);
    enum denial denial = to != AT_DESIRED ? NO_ADDRESS : denial_of(unit, to, words, written);
    if (denial != 0)
        return denied(message, denial, answer);
    uint16_t seen[MOST_WORDS];
    uint16_t snapshot = unit->snapshot;
    if (!read_block(unit, from, count, seen))
        return denied(message, NO_ADDRESS, answer);
    unit->snapshot = snapshot;
    write_block(unit, false, to, words);
    read_block(unit, from, count, seen);
    return answered_words(message[0], seen, count, answer);
}

size_t unit_answer(struct unit *unit, bool to_all, const uint8_t *message, size_t size, uint8_t *answer)
{
    if (size == 0)
        return 0;
    if (to_all) {
        if (message[0] == WRITE_REGISTERS)
            answer_write(unit, true, message, size, answer);
        return 0;
    }
    switch (message[0]) {
    case READ_HOLDING: case READ_INPUT: return answer_read(unit, message, size, answer);
    case WRITE_REGISTERS: return answer_write(unit, false, message, size, answer);
    case WRITE_AND_READ: return answer_write_and_read(unit, message, size, answer);
    default: return denied(message, NO_FUNCTION, answer);
    }
}
