/* Fingers and wires: buttons, the croupier's keys, the lock line, and what the core does each millisecond.

   A contact counts when it did not move for the debounce time; only then a press is anything. A button that is down and
   one that was just let go both show as down, so whoever waits for BUTTON_DOWN to clear may press again at once. */
#include "unit.h"

enum { STUCK_AFTER = 10000 };

static void move(struct unit *unit, struct contact *contact, bool closed)
{
    if (contact->raw == closed)
        return;
    contact->raw = closed;
    contact->since = unit->now;
    contact->was_before_lock = false;
}

/* Whether it settled at this instant. */
static bool settles(const struct unit *unit, struct contact *contact)
{
    if (contact->raw == contact->settled || unit->now - contact->since < setting(unit, C_DEBOUNCE))
        return false;
    contact->settled = contact->raw;
    return true;
}

void unit_button(struct unit *unit, unsigned seat, unsigned button, bool down)
{
    move(unit, &unit->seats[seat - 1].buttons[button - 1], down);
}

void unit_key(struct unit *unit, struct contact *key, bool down)
{
    move(unit, key, down);
}

/* The instant of the lock is the edge. */
void unit_line(struct unit *unit, bool pulled)
{
    if (pulled && !unit->line_is_pulled)
        lock(unit, LOCK_LINE);
    unit->line_is_pulled = pulled;
}

void unit_tampered(struct unit *unit, unsigned seat)
{
    unit->memory.seats[seat - 1].latched |= FAULT_TAMPER;
    record(unit, EVENT_TAMPER, seat, 0, 0);
}

static void watch_buttons(struct unit *unit, unsigned seat)
{
    bool is_stuck = false;
    for (unsigned button = 1; button <= BUTTONS; button++) {
        struct contact *finger = &unit->seats[seat - 1].buttons[button - 1];
        if (settles(unit, finger) && finger->settled)
            pressed(unit, seat, button);
        is_stuck |= finger->raw && unit->now - finger->since >= STUCK_AFTER;
    }
    uint16_t *faults = &unit->seats[seat - 1].faults, *latched = &unit->memory.seats[seat - 1].latched;
    *faults = (uint16_t)((*faults & ~FAULT_BUTTON_STUCK) | (is_stuck ? FAULT_BUTTON_STUCK : 0));
    if (is_stuck && !(*latched & FAULT_BUTTON_STUCK)) {
        *latched |= FAULT_BUTTON_STUCK;
        unit->unsaved = true;
    }
}

static void lock_button_pressed(struct unit *unit)
{
    unit->memory.seats[0].loaded++;
    record(unit, EVENT_CROUPIER_LOCK, 1, 0, 0);
    unit->must_be_seen = true;
    unit->lock_to_see = unit->memory.seq;
    lock(unit, LOCK_KEY);
    unit->pulls_line = true;
}

/* (2.4, console) The unlock button and the key switch are told, and unlock nothing by themselves. */
static void watch_keys(struct unit *unit)
{
    if (settles(unit, &unit->lock_key) && unit->lock_key.settled)
        lock_button_pressed(unit);
    if (settles(unit, &unit->unlock_key) && unit->unlock_key.settled) {
        unit->memory.seats[0].bets++;
        record(unit, EVENT_CROUPIER_UNLOCK, 1, 0, 0);
    }
    if (settles(unit, &unit->key_switch)) {
        unit->memory.seats[0].voided++;
        record(unit, unit->key_switch.settled ? EVENT_CROUPIER_UNLOCK : EVENT_CROUPIER_LOCK, 1, 1, 0);
    }
}

void watch_fingers(struct unit *unit)
{
    if (is_console(unit))
        watch_keys(unit);
    else
        for (unsigned seat = 1; seat <= unit->make->seats; seat++)
            watch_buttons(unit, seat);
}

static void watch_confirmations(struct unit *unit)
{
    for (unsigned seat = 1; seat <= unit->make->seats; seat++)
        if (unit->memory.seats[seat - 1].bet == PENDING
            && unit->now - unit->seats[seat - 1].pending_since >= setting(unit, C_CONFIRM_TIMEOUT))
            void_bet(unit, seat, VOID_CONFIRM_TIMEOUT);
}

void unit_tick(struct unit *unit, uint32_t now)
{
    unit->now = now;
    watch_fingers(unit);
    watch_confirmations(unit);
    watch_host(unit);
    drive_lamps(unit);
}
