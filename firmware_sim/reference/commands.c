/* Commands (2.3 K): what is compared comes before what refuses, so a retry is safe in any state. */
#include "unit.h"

struct command {
    unsigned opcode, seat;
    uint32_t expected, target;
};

#define HALF 0x80000000u /* a total that moves by so much goes back (2.1.2) */

/* LOADED_TO and CASHED_TO. */
static enum result move_credits(struct unit *unit, const struct command *command)
{
    struct seat_memory *seat = &unit->memory.seats[command->seat - 1];
    bool is_loading = command->opcode == LOADED_TO;
    uint32_t *total = is_loading ? &seat->loaded : &seat->cashed, credits = command->target - command->expected;
    if (*total != command->expected)
        return *total == command->target ? ALREADY : MISMATCH;
    if (is_console(unit) || credits >= HALF || (is_loading && balance_of(seat) + credits >= HALF))
        return REFUSED;
    if (!is_loading && (seat->bet == PENDING || credits > balance_of(seat)))
        return REFUSED;
    *total = command->target;
    record(unit, is_loading ? EVENT_CREDITS_LOADED : EVENT_CASHED, command->seat, 0, credits);
    return DONE;
}

static enum result void_by_croupier(struct unit *unit, const struct command *command)
{
    const struct seat_memory *seat = &unit->memory.seats[command->seat - 1];
    if (seat->bet == BET_NONE || seat->bet_seq != command->expected)
        return MISMATCH;
    if (seat->bet == VOIDED)
        return ALREADY;
    void_bet(unit, command->seat, VOID_CROUPIER);
    return DONE;
}

static bool names(const struct command *command, const uint16_t *config)
{
    return command->expected == config[C_GENERATION] && command->target == config[C_CHECK];
}

static enum result commit_config(struct unit *unit, const struct command *command)
{
    if (unit->memory.is_configured && names(command, unit->memory.config)) {
        if (unit->is_staged && names(command, unit->staged))
            unit->is_staged = false;
        return ALREADY;
    }
    if (!unit->is_staged || !names(command, unit->staged))
        return MISMATCH;
    if (unit->state == OPEN || unit->state == LOCKING || any_bet(unit, PENDING) || any_bet(unit, CONFIRMED))
        return REFUSED;
    for (unsigned i = 0; i < BLOCK_WORDS; i++)
        unit->memory.config[i] = unit->staged[i];
    unit->memory.is_configured = true;
    unit->is_staged = false;
    record(unit, EVENT_CONFIG, 0, command->expected, 0);
    return DONE;
}

static enum result clear_unit(struct unit *unit, const struct command *command)
{
    uint16_t *latched = &unit->memory.latched;
    if (!(*latched & command->target) && !unit->saw_second_host)
        return ALREADY;
    if ((command->expected & ~(uint32_t)UNIT_CONFIG_INVALID) != *latched)
        return MISMATCH;
    *latched &= (uint16_t)~command->target;
    unit->saw_second_host = false;
    unit->unsaved = true;
    return DONE;
}

/* What is still so stays latched. */
static enum result clear_faults(struct unit *unit, const struct command *command)
{
    if (command->seat == 0)
        return clear_unit(unit, command);
    uint16_t *latched = &unit->memory.seats[command->seat - 1].latched;
    if (!(*latched & command->target))
        return ALREADY;
    if (command->expected != *latched)
        return MISMATCH;
    *latched = (uint16_t)((*latched & ~command->target) | unit->seats[command->seat - 1].faults);
    unit->unsaved = true;
    return DONE;
}

static enum result enable_seat(struct unit *unit, const struct command *command)
{
    uint8_t *disabled = &unit->memory.seats[command->seat - 1].disabled;
    bool is_left_out = unit->memory.is_configured && !(unit->memory.config[C_ENABLED] >> (command->seat - 1) & 1);
    if (command->target > 1 || (command->target == 1 && is_left_out))
        return REFUSED;
    if (*disabled == !command->target)
        return ALREADY;
    *disabled = !command->target;
    unit->unsaved = true;
    return DONE;
}

static enum result reboot(struct unit *unit, const struct command *command)
{
    if (command->expected != unit->memory.boot_id)
        return MISMATCH;
    unit->wants_reboot = true;
    return DONE;
}

static bool is_known(const struct unit *unit, const struct command *command)
{
    bool is_a_seat = command->seat >= 1 && command->seat <= unit->make->seats;
    switch (command->opcode) {
    case LOADED_TO: case CASHED_TO: case VOID_BET: case SEAT_ENABLE: return is_a_seat;
    case CLEAR_FAULTS: return is_a_seat || command->seat == 0;
    case CONFIG_COMMIT: case REBOOT: return true;
    default: return false;
    }
}

static enum result execute(struct unit *unit, const struct command *command)
{
    switch (command->opcode) {
    case LOADED_TO: case CASHED_TO: return move_credits(unit, command);
    case VOID_BET: return void_by_croupier(unit, command);
    case CONFIG_COMMIT: return commit_config(unit, command);
    case CLEAR_FAULTS: return clear_faults(unit, command);
    case SEAT_ENABLE: return enable_seat(unit, command);
    default: return reboot(unit, command);
    }
}

static bool is_late_session(const struct unit *unit, uint16_t id, uint32_t host)
{
    return unit->is_owned && id == unit->session_id && host == unit->host;
}

static enum result answer_of(struct unit *unit, const struct command *command, uint16_t token)
{
    if (!unit->is_owned || token != unit->token)
        return STALE_TOKEN;
    return is_known(unit, command) ? execute(unit, command) : UNKNOWN;
}

/* A K with a good check word and an id that is not 0. */
void obey_command(struct unit *unit, const uint16_t *words)
{
    struct command command = {
        words[K_OPCODE_SEAT] >> 8, words[K_OPCODE_SEAT] & 0xFF, u32_of(&words[K_EXPECTED]), u32_of(&words[K_TARGET]),
    };
    uint16_t id = words[K_ID];
    bool is_opening = command.opcode == OPEN_SESSION;
    if (id == unit->command_id || (is_opening && is_late_session(unit, id, command.target)))
        return;
    if (is_opening)
        open_session(unit, id, command.target);
    enum result result = is_opening ? DONE : answer_of(unit, &command, words[K_TOKEN]);
    unit->command_id = id;
    unit->result = (uint16_t)result;
}
