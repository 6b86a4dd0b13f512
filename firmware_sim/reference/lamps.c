/* Lamps: what each shows (2.3 A, 2.4), and the proof that it does (1.8).

   What is driven follows from the state alone, so nothing has to be put out by hand. The owner of the hardware reads the
   current; here it is believed when the lamp had its settling time and several samples agree. An open or shorted lamp
   shows only while it is driven, one that is lit while off only while it is dark: each keeps its fault until the
   same phase measures well again. A short is cut for a while and tried again. */
#include "unit.h"

enum { BLINK = 100, WINK = 100, WINK_EVERY = 1500, CUT = 500, SAMPLES = 3, NOISE = 1 };

static bool is_testing(const struct unit *unit, unsigned seat)
{
    unsigned command = unit->lamp_word >> 8, meant = unit->lamp_word & 0xFF;
    bool is_between = command == LAMP_TEST_BETWEEN && !any_bet(unit, PENDING) && !any_bet(unit, CONFIRMED);
    bool is_test = is_between || (command == LAMP_TEST && !any_standing(unit));
    return is_test && (meant == 0 || meant == seat) && (unit->state == BOOT_LOCKED || unit->state == LOCKED);
}

static bool is_forced_off(const struct unit *unit, unsigned seat)
{
    unsigned meant = unit->lamp_word & 0xFF;
    return unit->lamp_word >> 8 == LAMP_FORCE_OFF && (meant == 0 || meant == seat);
}

static enum drive drive_of(const struct unit *unit, unsigned seat)
{
    uint8_t bet = unit->memory.seats[seat - 1].bet;
    if (is_testing(unit, seat))
        return DRIVE_TEST;
    if (!is_enabled(unit, seat) || unit->state == OUT_OF_SERVICE || is_forced_off(unit, seat))
        return DRIVE_OFF;
    if (bet == PENDING)
        return DRIVE_PENDING;
    if (bet == CONFIRMED || bet == SEALED)
        return DRIVE_STEADY;
    bool may_wink = unit->state == OPEN || unit->state == LOCKING || unit->state == LOCKED;
    return may_wink && unit->seats[seat - 1].faults & FAULTS_THAT_CLOSE ? DRIVE_FAULT : DRIVE_OFF;
}

static bool is_lit(const struct lamp *lamp, uint32_t now)
{
    uint32_t since = now - lamp->driven_at;
    switch (lamp->drive) {
    case DRIVE_STEADY: case DRIVE_TEST: return true;
    case DRIVE_PENDING: return since / BLINK % 2 == 0;
    case DRIVE_FAULT: return since % WINK_EVERY < WINK;
    default: return false;
    }
}

static void drive_lamp(struct unit *unit, unsigned seat)
{
    struct lamp *lamp = &unit->seats[seat - 1].lamp;
    enum drive drive = drive_of(unit, seat);
    if (drive != lamp->drive) {
        lamp->drive = (uint8_t)drive;
        lamp->driven_at = lamp->switched_at = unit->now;
        lamp->feedback = lamp->samples = 0;
        lamp->is_cut = false;
    }
    if (lamp->is_cut && unit->now - lamp->switched_at >= CUT)
        lamp->is_cut = false;
    bool lit = is_lit(lamp, unit->now) && !lamp->is_cut;
    if (lit != lamp->lit) {
        lamp->lit = lit;
        lamp->switched_at = unit->now;
        lamp->switches++;
        lamp->samples = 0;
    }
}

void drive_lamps(struct unit *unit)
{
    if (unit->make->capabilities & HAS_LAMP)
        for (unsigned seat = 1; seat <= unit->make->seats; seat++)
            drive_lamp(unit, seat);
}

/* What this current says of a lamp in this phase. */
static unsigned seen_in(const struct unit *unit, bool lit, unsigned milliamps)
{
    if (!lit)
        return milliamps > NOISE ? SEEN_WHILE_OFF : 0;
    if (milliamps < setting(unit, C_LAMP_LEAST))
        return SEEN_OPEN;
    return milliamps > setting(unit, C_LAMP_MOST) ? SEEN_SHORT : SEEN_IN_WINDOW;
}

static unsigned faults_after(unsigned before, bool lit, unsigned seen)
{
    if (!lit)
        return (before & ~(unsigned)FAULT_LAMP_LIT) | (seen & SEEN_WHILE_OFF ? FAULT_LAMP_LIT : 0);
    unsigned rest = before & ~(unsigned)(FAULT_LAMP_OPEN | FAULT_LAMP_SHORT);
    return rest | (seen & SEEN_OPEN ? FAULT_LAMP_OPEN : 0) | (seen & SEEN_SHORT ? FAULT_LAMP_SHORT : 0);
}

static void tell_faults(struct unit *unit, unsigned seat, unsigned faults)
{
    uint16_t *live = &unit->seats[seat - 1].faults;
    if (faults == *live)
        return;
    *live = (uint16_t)faults;
    unit->memory.seats[seat - 1].latched |= faults & FAULTS_OF_LAMP;
    unsigned of_lamp = faults & FAULTS_OF_LAMP;
    record(unit, of_lamp ? EVENT_LAMP_FAULT : EVENT_LAMP_OK, seat, of_lamp, 0);
}

/* Several samples in a row say the same. */
static bool is_believed(struct lamp *lamp, unsigned seen)
{
    lamp->samples = seen == lamp->sampled ? lamp->samples + 1 : 1;
    lamp->sampled = (uint8_t)seen;
    if (lamp->samples > SAMPLES)
        lamp->samples = SAMPLES;
    return lamp->samples == SAMPLES;
}

/* One sample each millisecond. */
void unit_current(struct unit *unit, unsigned seat, uint16_t milliamps)
{
    struct lamp *lamp = &unit->seats[seat - 1].lamp;
    unsigned seen = seen_in(unit, lamp->lit, milliamps);
    if (lamp->is_cut || unit->now - lamp->switched_at < setting(unit, C_SETTLE) || !is_believed(lamp, seen))
        return;
    unsigned of_this_phase = lamp->lit ? SEEN_IN_WINDOW | SEEN_OPEN | SEEN_SHORT : SEEN_WHILE_OFF;
    lamp->milliamps = milliamps;
    lamp->feedback = (uint8_t)((lamp->feedback & ~of_this_phase) | seen | SEEN_MEASURED);
    tell_faults(unit, seat, faults_after(unit->seats[seat - 1].faults, lamp->lit, seen));
    if (seen & SEEN_SHORT) {
        lamp->is_cut = true;
        lamp->switched_at = unit->now;
    }
}
