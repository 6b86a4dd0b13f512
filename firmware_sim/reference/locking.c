/* Open and locked (2.4 Unlock, 2.5), sessions and the loss of the host (2.6).

   Trust is lopsided: any lock is obeyed, an unlock only when all of its conditions hold. The unit locks by itself when the
   host is silent for T1, and puts out its lights when it stays away for the hold. */
#include "unit.h"

static void mark_fingers_on_buttons(struct unit *unit)
{
    for (unsigned seat = 0; seat < unit->make->seats; seat++)
        for (unsigned button = 0; button < BUTTONS; button++) {
            struct contact *finger = &unit->seats[seat].buttons[button];
            finger->was_before_lock = finger->raw && !finger->settled;
        }
}

static void close_betting(struct unit *unit, enum lock_cause cause)
{
    unit->memory.cut = unit->memory.seq;
    unit->memory.was_open = false;
    mark_fingers_on_buttons(unit);
    record(unit, EVENT_LOCK, 0, cause, 0);
    if (cause == LOCK_KEY || cause == LOCK_LINE) {
        unit->must_be_seen = true;
        unit->lock_to_see = unit->memory.seq;
    }
}

/* Who was locked already moves on without a cut or an event. */
void lock(struct unit *unit, enum lock_cause cause)
{
    if (unit->state == OPEN)
        close_betting(unit, cause);
    else if (unit->state != BOOT_LOCKED && unit->state != HOST_LOST)
        return;
    unit->state = LOCKING;
    settle(unit);
}

/* LOCKING ends with the last bet that waits for the host. */
void settle(struct unit *unit)
{
    if (unit->state != LOCKING || any_bet(unit, PENDING))
        return;
    unit->state = LOCKED;
    unit->unsaved = true;
    for (unsigned seat = 0; seat < unit->make->seats; seat++)
        if (unit->memory.seats[seat].bet == CONFIRMED)
            unit->memory.seats[seat].bet = SEALED;
    if (any_standing(unit))
        unit->memory.round_is_sealed = true;
}

static bool may_open(const struct unit *unit, uint16_t round_id)
{
    bool is_old_hand = round_id == unit->memory.round_id && unit->memory.round_is_sealed;
    bool is_unseen = unit->must_be_seen && is_newer(unit->lock_to_see, unit->ack);
    return unit->memory.is_configured && !unit->is_staged && !unit->line_is_pulled && !unit->lock_key.raw
        && !any_bet(unit, PENDING) && unit->state != OUT_OF_SERVICE && !is_old_hand && !is_unseen;
}

void unlock(struct unit *unit, uint16_t round_id)
{
    bool is_new_round = round_id != unit->memory.round_id;
    if (!may_open(unit, round_id) || (unit->state == OPEN && !is_new_round))
        return;
    if (is_new_round)
        begin_round(unit, round_id);
    unit->state = OPEN;
    unit->memory.was_open = true;
    unit->pulls_line = false;
    record(unit, EVENT_UNLOCK, 0, round_id, 0);
}

static bool is_from_our_host(const struct unit *unit, const uint16_t *words)
{
    uint16_t ahead = (uint16_t)(words[D_HEARTBEAT] - unit->beat);
    bool is_newer_beat = !unit->has_beaten || (ahead != 0 && ahead < 0x8000);
    return unit->is_owned && words[D_TOKEN] == unit->token && is_newer_beat;
}

static void feed(struct unit *unit, const uint16_t *words)
{
    unit->has_beaten = unit->was_fed = true;
    unit->beat = words[D_HEARTBEAT];
    unit->fed_at = unit->now;
    for (unsigned i = 0; i < WRITE_WORDS; i++)
        unit->desired[i] = words[i];
    if (unit->is_host_lost) {
        unit->is_host_lost = false;
        record(unit, EVENT_HOST_BACK, 0, 0, 0);
    }
}

/* Cumulative; what is newer than our own events belongs to another life of ours. */
static void take_ack(struct unit *unit, uint32_t ack)
{
    if (is_newer(ack, unit->memory.seq))
        return;
    if (is_newer(ack, unit->ack))
        unit->ack = ack;
    confirm_bets(unit);
}

static void take_lamp_command(struct unit *unit, uint16_t word)
{
    unit->lamp_word = word;
    if (word >> 8 == LAMP_RELIGHT)
        relight(unit, word & 0xFF);
}

/* A D of eight words with a good check word: the four steps of 2.3 D. */
void obey_desired(struct unit *unit, const uint16_t *words, bool to_all)
{
    if (words[D_LOCK] != UNLOCK_WORD)
        lock(unit, to_all ? LOCK_BROADCAST : LOCK_HOST);
    if (to_all || !is_from_our_host(unit, words))
        return;
    feed(unit, words);
    bool comes_back = unit->state == OUT_OF_SERVICE && unit->is_recalled;
    if (comes_back) {
        unit->state = LOCKING;
        settle(unit);
    }
    take_ack(unit, u32_of(&words[D_ACK]));
    if (unit->state != OUT_OF_SERVICE)
        take_lamp_command(unit, words[D_LAMP]);
    if (words[D_LOCK] == UNLOCK_WORD && !comes_back)
        unlock(unit, words[D_ROUND]);
}

void open_session(struct unit *unit, uint16_t id, uint32_t host)
{
    bool is_alive = unit->was_fed && unit->now - unit->fed_at < setting(unit, C_HOST_TIMEOUT);
    if (!is_alive)
        unit->saw_second_host = false;
    else if (unit->is_owned && host != unit->host)
        unit->saw_second_host = true;
    lock(unit, LOCK_HOST);
    unit->token = unit->token == 0xFFFF ? 1 : unit->token + 1;
    unit->is_owned = true;
    unit->has_beaten = false;
    unit->lamp_word = 0;
    unit->is_recalled = unit->state == OUT_OF_SERVICE;
    unit->session_id = id;
    unit->host = host;
}

static void lose_host(struct unit *unit)
{
    if (unit->state == OPEN)
        close_betting(unit, LOCK_WATCHDOG);
    unit->state = HOST_LOST;
    unit->is_host_lost = true;
    unit->memory.latched |= UNIT_HOST_LOST;
    void_pending(unit, VOID_HOST_LOST);
    record(unit, EVENT_HOST_LOST, 0, 0, 0);
}

/* The watchdog begins with the first executed D, and only an executed D feeds it. */
void watch_host(struct unit *unit)
{
    enum { AS_OLD_AS_CAN_BE = 1 << 30 }; /* a silence of many weeks must not look short when the clock wraps */
    if (!unit->was_fed)
        return;
    uint32_t silence = unit->now - unit->fed_at, timeout = setting(unit, C_HOST_TIMEOUT);
    if (silence > AS_OLD_AS_CAN_BE)
        unit->fed_at = unit->now - AS_OLD_AS_CAN_BE;
    if (unit->state == OUT_OF_SERVICE)
        return;
    if (silence >= timeout && !unit->is_host_lost)
        lose_host(unit);
    if (silence >= timeout + 1000u * setting(unit, C_HOLD)) {
        unit->state = OUT_OF_SERVICE;
        unit->is_recalled = false;
        restore_dark(unit);
    }
}
