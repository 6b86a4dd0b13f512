/* The life of a bet (2.4): from a finger whose debounce time ended to the new round that clears it.

   A press that counts is one change of the memory: total, event, PENDING and bet_seq together. Confirmation is the
   host's alone, and so is all that follows from it. Credits come back by the voided total, never by less of another. */
#include "unit.h"

static enum press_refusal refusal_of(const struct unit *unit, unsigned seat, unsigned credits)
{
    const struct seat_memory *memory = &unit->memory.seats[seat - 1];
    if (unit->state != OPEN)
        return REFUSED_LOCKED;
    if (!is_enabled(unit, seat))
        return REFUSED_DISABLED;
    if (unit->seats[seat - 1].faults & FAULTS_THAT_CLOSE)
        return REFUSED_FAULT;
    if (credits == 0)
        return REFUSED_BUTTON_OFF;
    if (is_standing(memory->bet))
        return REFUSED_SECOND_BET;
    if (credits < setting(unit, C_LEAST) || credits > setting(unit, C_MOST))
        return REFUSED_LIMITS;
    return balance_of(memory) < credits ? REFUSED_NO_CREDIT : 0;
}

/* The debounce time of a button ended: now it counts, or is refused and counted. */
void pressed(struct unit *unit, unsigned seat, unsigned button)
{
    struct seat_memory *memory = &unit->memory.seats[seat - 1];
    unsigned credits = setting(unit, C_BUTTONS + button - 1);
    unsigned refusal = refusal_of(unit, seat, credits);
    memory->presses++;
    if (refusal != 0) {
        memory->refused++;
        if (refusal == REFUSED_LOCKED && unit->seats[seat - 1].buttons[button - 1].was_before_lock)
            refusal |= FINGER_WAS_EARLIER;
        record(unit, EVENT_PRESS_REFUSED, seat, refusal, credits);
        return;
    }
    memory->bets += credits;
    record(unit, EVENT_PRESS_ACCEPTED, seat, button, credits);
    memory->bet = PENDING;
    memory->cause = VOID_NONE;
    memory->bet_credits = (uint16_t)credits;
    memory->bet_seq = unit->memory.seq;
    memory->round_id = unit->memory.round_id;
    unit->seats[seat - 1].pending_since = unit->now;
}

/* What the host has durably booked is a bet (2.1.3). */
void confirm_bets(struct unit *unit)
{
    for (unsigned seat = 1; seat <= unit->make->seats; seat++) {
        struct seat_memory *memory = &unit->memory.seats[seat - 1];
        if (memory->bet == PENDING && !is_newer(memory->bet_seq, unit->ack)) {
            memory->bet = CONFIRMED;
            record(unit, EVENT_BET_CONFIRMED, seat, 0, memory->bet_credits);
        }
    }
    settle(unit);
}

void void_bet(struct unit *unit, unsigned seat, enum void_cause cause)
{
    struct seat_memory *memory = &unit->memory.seats[seat - 1];
    memory->voided += memory->bet_credits;
    memory->bet = VOIDED;
    memory->cause = (uint8_t)cause;
    record(unit, EVENT_BET_VOIDED, seat, cause, memory->bet_credits);
    settle(unit);
}

void void_pending(struct unit *unit, enum void_cause cause)
{
    for (unsigned seat = 1; seat <= unit->make->seats; seat++)
        if (unit->memory.seats[seat - 1].bet == PENDING)
            void_bet(unit, seat, cause);
}

/* The light of a bet that stands went out without anybody's decision; its round is a sealed one (2.6). */
void restore_dark(struct unit *unit)
{
    for (unsigned seat = 0; seat < unit->make->seats; seat++) {
        struct seat_memory *memory = &unit->memory.seats[seat];
        if (memory->bet == CONFIRMED || memory->bet == SEALED) {
            memory->bet = RESTORED_DARK;
            unit->memory.round_is_sealed = true;
            unit->unsaved = true;
        }
    }
}

/* Seat 0 is every seat. */
void relight(struct unit *unit, unsigned seat)
{
    for (unsigned each = 1; each <= unit->make->seats; each++)
        if ((seat == 0 || seat == each) && unit->memory.seats[each - 1].bet == RESTORED_DARK) {
            unit->memory.seats[each - 1].bet = SEALED;
            unit->unsaved = true;
        }
}

/* Round and bet_seq of the bet before stay where they are read. */
void begin_round(struct unit *unit, uint16_t round_id)
{
    unit->memory.round_id = round_id;
    unit->memory.round_is_sealed = false;
    for (unsigned seat = 0; seat < unit->make->seats; seat++) {
        unit->memory.seats[seat].bet = BET_NONE;
        unit->memory.seats[seat].bet_credits = 0;
        unit->memory.seats[seat].cause = VOID_NONE;
    }
    unit->unsaved = true;
}
