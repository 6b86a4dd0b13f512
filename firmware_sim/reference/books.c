/* The books of a unit: totals, and the events that explain them (2.1, 2.3 E).

   Every change of a total is an event and adds exactly 1 to event_seq. Totals and event stand in one struct that is
   written to the non-volatile memory at once, so equal sequence numbers mean equal totals. */
#include "unit.h"

uint16_t crc16(uint16_t crc, uint8_t byte)
{
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++)
        crc = crc & 1 ? (uint16_t)(crc >> 1 ^ 0xA001) : crc >> 1;
    return crc;
}

/* Of all words but the one at `place`, each with its high byte first (2.2). */
uint16_t check_of(const uint16_t *words, unsigned count, unsigned place)
{
    uint16_t crc = 0xFFFF;
    for (unsigned i = 0; i < count; i++)
        if (i != place)
            crc = crc16(crc16(crc, words[i] >> 8), words[i] & 0xFF);
    return crc;
}

void record(struct unit *unit, enum event_kind kind, unsigned seat, unsigned argument, uint32_t credits)
{
    struct memory *memory = &unit->memory;
    memory->seq++;
    memory->ring[memory->seq % RING_DEPTH] = (struct event){
        .seq = memory->seq, .uptime = unit->now - unit->booted_at, .kind = (uint8_t)kind, .seat = (uint8_t)seat,
        .argument = (uint16_t)argument, .credits = (uint16_t)credits, .boots = (uint16_t)memory->boots,
    };
    unit->unsaved = true;
}

uint32_t balance_of(const struct seat_memory *seat)
{
    return seat->loaded - seat->cashed - seat->bets + seat->voided;
}

bool any_bet(const struct unit *unit, uint8_t bet)
{
    for (unsigned seat = 0; seat < unit->make->seats; seat++)
        if (unit->memory.seats[seat].bet == bet)
            return true;
    return false;
}

bool any_standing(const struct unit *unit)
{
    for (unsigned seat = 0; seat < unit->make->seats; seat++)
        if (is_standing(unit->memory.seats[seat].bet))
            return true;
    return false;
}

/* By the configuration and by the host's SEAT_ENABLE; where nothing was configured yet, by the latter alone. */
bool is_enabled(const struct unit *unit, unsigned seat)
{
    bool is_left_out = unit->memory.is_configured && !(unit->memory.config[C_ENABLED] >> (seat - 1) & 1);
    return !is_left_out && !unit->memory.seats[seat - 1].disabled;
}

/* A time of the live configuration; before there is one, the document's usual. */
unsigned setting(const struct unit *unit, unsigned word)
{
    if (unit->memory.is_configured)
        return unit->memory.config[word];
    switch (word) {
    case C_DEBOUNCE: return 30;
    case C_HOST_TIMEOUT: return 1500;
    case C_HOLD: return 30;
    case C_SETTLE: return 30;
    case C_LAMP_LEAST: return 10;
    case C_LAMP_MOST: return 30;
    default: return 0;
    }
}
