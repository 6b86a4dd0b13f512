/* The blocks that a host reads (2.3): each is made anew from the state of this instant, and reading changes nothing. */
#include "unit.h"

static void put_u32(uint16_t *words, uint32_t value)
{
    words[0] = (uint16_t)(value >> 16);
    words[1] = (uint16_t)value;
}

static uint16_t pair(unsigned high, unsigned low)
{
    return (uint16_t)(high << 8 | low);
}

static void identity(const struct unit *unit, uint16_t *words)
{
    const struct make *make = unit->make;
    words[0] = MAGIC;
    words[1] = VERSION;
    words[2] = make->unit_class;
    words[3] = make->capabilities;
    words[4] = make->seats;
    words[5] = pair(make->unit, make->first_seat);
    put_u32(&words[6], make->serial);
    words[8] = make->hardware;
    words[9] = make->firmware;
    words[0x0A] = make->firmware_crc;
    words[0x0B] = unit->memory.config[C_GENERATION];
    words[0x0C] = unit->memory.config[C_CHECK];
    words[0x0D] = unit->memory.epoch;
    put_u32(&words[0x0E], unit->memory.boots);
    words[0x10] = unit->memory.boot_id;
    words[0x11] = unit->reset_cause;
    words[0x12] = unit->health;
    words[0x13] = RING_DEPTH;
    for (unsigned i = 0; i < sizeof make->product / 2; i++)
        words[0x14 + i] = pair((uint8_t)make->product[2 * i], (uint8_t)make->product[2 * i + 1]);
    words[0x1F] = check_of(words, BLOCK_WORDS, 0x1F);
}

static void ring(const struct unit *unit, uint16_t *words)
{
    words[0] = TAG_RING;
    words[1] = unit->make->unit;
    put_u32(&words[2], unit->memory.seq);
    for (unsigned i = 0; i < RING_DEPTH; i++) {
        const struct event *event = &unit->memory.ring[i];
        uint16_t *entry = &words[RING_HEAD + ENTRY_WORDS * i];
        put_u32(&entry[0], event->seq);
        put_u32(&entry[2], event->uptime);
        entry[4] = pair(event->kind, event->seat);
        entry[5] = event->argument;
        entry[6] = event->credits;
        entry[7] = event->boots;
    }
}

static void config(const struct unit *unit, uint16_t *words)
{
    for (unsigned i = 0; i < BLOCK_WORDS; i++)
        words[i] = unit->memory.config[i];
}

static void desired(const struct unit *unit, uint16_t *words)
{
    for (unsigned i = 0; i < WRITE_WORDS; i++)
        words[i] = unit->desired[i];
}

static uint16_t inputs_of(const struct seat *seat)
{
    uint16_t inputs = 0;
    for (unsigned button = 0; button < BUTTONS; button++)
        inputs |= (uint16_t)(seat->buttons[button].raw << button);
    return inputs;
}

static void detail(const struct unit *unit, unsigned seat, uint16_t *words)
{
    const struct seat_memory *memory = &unit->memory.seats[seat - 1];
    const struct seat *live = &unit->seats[seat - 1];
    words[0] = TAG_DETAIL;
    words[1] = pair(unit->make->unit, seat);
    put_u32(&words[2], is_console(unit) ? 0 : balance_of(memory));
    put_u32(&words[4], memory->cashed);
    put_u32(&words[8], memory->presses);
    put_u32(&words[0x0A], memory->refused);
    put_u32(&words[0x0C], memory->bet_seq);
    words[0x0E] = memory->round_id;
    words[0x0F] = pair(memory->bet, memory->cause);
    words[0x10] = (uint16_t)(live->faults | (is_enabled(unit, seat) ? 0 : FAULT_DISABLED));
    words[0x11] = memory->latched;
    put_u32(&words[0x12], inputs_of(live));
    words[0x14] = live->lamp.switches;
    words[0x1F] = check_of(words, BLOCK_WORDS, 0x1F);
}

/* (2.3 A) Of the newest acknowledgement taken since the boot; where none was, of event_seq at the boot. */
static bool is_overflowing(const struct unit *unit)
{
    uint32_t ahead = unit->memory.seq - unit->ack;
    return ahead > RING_DEPTH;
}

static uint16_t flags_of(const struct unit *unit)
{
    return (uint16_t)((unit->is_owned ? FLAG_OWNED : 0) | (unit->line_is_pulled || unit->pulls_line ? FLAG_LINE : 0)
        | (unit->lock_key.raw || unit->lock_key.settled ? FLAG_KEY_DOWN : 0) | (unit->is_staged ? FLAG_STAGED : 0)
        | (is_overflowing(unit) ? FLAG_OVERFLOW : 0) | (unit->saw_second_host ? FLAG_SECOND_HOST : 0));
}

static unsigned heartbeat_age(const struct unit *unit)
{
    uint32_t age = (unit->now - unit->fed_at) / 10;
    return !unit->was_fed || age > 0xFF ? 0xFF : age;
}

uint16_t latched_of_unit(const struct unit *unit)
{
    return (uint16_t)(unit->memory.latched | (unit->memory.is_configured ? 0 : UNIT_CONFIG_INVALID));
}

static bool is_down(const struct seat *seat)
{
    for (unsigned button = 0; button < BUTTONS; button++)
        if (seat->buttons[button].raw || seat->buttons[button].settled)
            return true;
    return false;
}

static uint16_t seat_flags(const struct unit *unit, unsigned seat)
{
    const struct seat *live = &unit->seats[seat - 1];
    unsigned feedback = live->lamp.feedback;
    bool agrees = feedback & SEEN_MEASURED && !(feedback & SEEN_WRONG);
    return (uint16_t)((is_down(live) ? SEAT_BUTTON_DOWN : 0)
        | (live->lamp.drive == DRIVE_STEADY ? SEAT_LAMP_STEADY : 0) | (agrees ? SEAT_AGREES : 0)
        | (is_enabled(unit, seat) ? SEAT_ENABLED : 0)
        | (live->faults || unit->memory.seats[seat - 1].latched ? SEAT_FAULT : 0));
}

static void poll_seat(const struct unit *unit, unsigned seat, uint16_t *words)
{
    const struct seat_memory *memory = &unit->memory.seats[seat - 1];
    const struct lamp *lamp = &unit->seats[seat - 1].lamp;
    unsigned is_latched = memory->latched & FAULTS_OF_LAMP ? SEEN_LATCHED : 0;
    unsigned mode = is_console(unit) ? MODE_CONSOLE : MODE_BUTTONS;
    words[0] = (uint16_t)(memory->bet | mode << 4 | seat_flags(unit, seat));
    words[1] = pair(lamp->drive, lamp->feedback | is_latched);
    words[2] = lamp->feedback & SEEN_MEASURED ? lamp->milliamps : NOT_MEASURED;
    words[3] = memory->bet_credits;
    put_u32(&words[4], memory->loaded);
    put_u32(&words[6], memory->bets);
    put_u32(&words[8], memory->voided);
}

unsigned poll_words(const struct unit *unit)
{
    return POLL_HEAD + POLL_SEAT * unit->make->seats;
}

static void poll(struct unit *unit, uint16_t *words)
{
    words[0] = TAG_POLL;
    words[1] = pair(unit->make->unit, unit->make->seats);
    words[2] = ++unit->snapshot;
    words[3] = unit->memory.boot_id;
    put_u32(&words[4], unit->now - unit->booted_at);
    words[6] = unit->state | flags_of(unit);
    words[7] = latched_of_unit(unit);
    put_u32(&words[8], unit->memory.seq);
    put_u32(&words[0x0A], unit->memory.cut);
    words[0x0C] = unit->token;
    words[0x0D] = unit->command_id;
    words[0x0E] = pair(unit->result, heartbeat_age(unit));
    for (unsigned seat = 1; seat <= unit->make->seats; seat++)
        poll_seat(unit, seat, &words[POLL_HEAD + POLL_SEAT * (seat - 1)]);
    words[0x0F] = check_of(words, poll_words(unit), 0x0F);
}

static bool is_within(unsigned address, unsigned count, unsigned block, unsigned words)
{
    return address >= block && address + count <= block + words;
}

/* Whether the read lies wholly inside one block; its words are then there. `words` holds 124. */
bool read_block(struct unit *unit, unsigned address, unsigned count, uint16_t *words)
{
    uint16_t block[MOST_WORDS] = {0};
    unsigned seat = (address - AT_DETAIL) / DETAIL_STEP + 1, begin = AT_DETAIL + DETAIL_STEP * (seat - 1);
    if (is_within(address, count, AT_IDENTITY, BLOCK_WORDS))
        identity(unit, block), begin = AT_IDENTITY;
    else if (is_within(address, count, AT_RING, RING_WORDS))
        ring(unit, block), begin = AT_RING;
    else if (is_within(address, count, AT_CONFIG, BLOCK_WORDS))
        config(unit, block), begin = AT_CONFIG;
    else if (is_within(address, count, AT_DESIRED, WRITE_WORDS))
        desired(unit, block), begin = AT_DESIRED;
    else if (is_within(address, count, AT_POLL, poll_words(unit)))
        poll(unit, block), begin = AT_POLL;
    else if (address >= AT_DETAIL && seat <= unit->make->seats && is_within(address, count, begin, BLOCK_WORDS))
        detail(unit, seat, block);
    else
        return false;
    for (unsigned i = 0; i < count; i++)
        words[i] = block[address - begin + i];
    return true;
}
