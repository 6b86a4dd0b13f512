/* The boot (2.6): money and bets are as the memory says, light and session are gone.

   A bet that nobody had booked is given back; one that stood waits dark for the host's word. What was OPEN when its power
   went was locked at that instant: the cut says so before any other event of the boot but that of the memory. */
#include "unit.h"

struct memory blank_memory(uint16_t epoch)
{
    return (struct memory){.epoch = epoch};
}

static void tell_memory(struct unit *unit)
{
    if (unit->health == MEMORY_OK)
        return;
    unit->memory.latched |= unit->health == MEMORY_LOST ? UNIT_TOTALS_LOST : UNIT_RECOVERED;
    record(unit, EVENT_MEMORY, 0, unit->health, 0);
}

static void tell_lock(struct unit *unit)
{
    if (!unit->memory.was_open)
        return;
    unit->memory.cut = unit->memory.seq;
    unit->memory.was_open = false;
    record(unit, EVENT_LOCK, 0, LOCK_BOOT, 0);
}

static void tell_boot(struct unit *unit)
{
    if (unit->reset_cause == RESET_WATCHDOG)
        unit->memory.latched |= UNIT_WATCHDOG;
    if (unit->reset_cause == RESET_BROWN_OUT)
        unit->memory.latched |= UNIT_BROWN_OUT;
    record(unit, EVENT_BOOT, 0, unit->reset_cause, 0);
}

void unit_boot(struct unit *unit, const struct make *make, const struct memory *memory, enum memory_health health,
               enum reset_cause cause, uint32_t random, uint32_t now)
{
    *unit = (struct unit){
        .make = make, .memory = *memory, .now = now, .booted_at = now, .reset_cause = (uint8_t)cause,
        .health = (uint8_t)health, .state = BOOT_LOCKED,
    };
    uint16_t boot_id = (uint16_t)(random >> 16), token = (uint16_t)random;
    unit->memory.boot_id = boot_id != memory->boot_id ? boot_id : (uint16_t)(boot_id + 1);
    unit->token = token != 0 ? token : 1;
    unit->memory.boots++;
    unit->ack = unit->memory.seq;
    for (unsigned seat = 0; seat < MOST_SEATS; seat++)
        unit->seats[seat].lamp.switched_at = now;
    tell_memory(unit);
    tell_lock(unit);
    void_pending(unit, VOID_BOOT);
    restore_dark(unit);
    tell_boot(unit);
}
