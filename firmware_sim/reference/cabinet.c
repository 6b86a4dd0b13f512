/* What is around the core on a PC, in place of a board: time, lamps, wires, hands, and the memory's file.

   Time goes on by single milliseconds, as a board's timer does it, however seldom anybody looks. After each call into the
   core its memory is written before anything else happens. A power cut forgets all but the store; it can be asked for at
   any point of a write. */
#define _XOPEN_SOURCE 700
#include "cabinet.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { A_PRESS_LASTS = 80, GOOD_PART = 2, MUCH_CURRENT = 200 };

static uint32_t random_of(struct cabinet *cabinet)
{
    uint32_t x = cabinet->random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return cabinet->random = x;
}

/* ------------------------------------------------------------------------------------------------- power, memory */

static void power_off(struct standing *one)
{
    one->powered = false;
    one->cut = CUT_NOT;
    memset(&one->unit, 0, sizeof one->unit);
    one->unit.make = &one->make;
}

static void write_store(const struct standing *one, const void *part, size_t size)
{
    off_t place = (const char *)part - (const char *)&one->store;
    if (one->file >= 0 && pwrite(one->file, part, size, place) != (ssize_t)size)
        perror("the memory's file");
}

static void write_slot(struct standing *one, int place, const struct slot *slot, size_t size)
{
    memcpy(&one->store.slots[place], slot, size);
    write_store(one, &one->store.slots[place], size);
}

/* First slot, then second (slots.c); the power may go at four points of it. */
static void save(struct standing *one)
{
    if (!one->powered || !one->unit.unsaved)
        return;
    one->unit.unsaved = false;
    struct slot slot = slot_of(&one->unit.memory, ++one->generation);
    enum cut cut = one->cut;
    if (cut != CUT_BEFORE)
        write_slot(one, 0, &slot, cut == CUT_TORN ? sizeof slot / 2 : sizeof slot);
    if (cut == CUT_NOT || cut == CUT_AFTER)
        write_slot(one, 1, &slot, sizeof slot);
    if (cut != CUT_NOT)
        power_off(one);
}

/* A unit's own pull is not the wire of others; a console without power is a broken wire, and that is a pull (2.5). */
static bool is_pulled_for(const struct cabinet *cabinet, const struct standing *one)
{
    bool pulled = cabinet->line_is_broken;
    for (unsigned i = 0; i < cabinet->count; i++) {
        const struct standing *other = &cabinet->units[i];
        bool is_dead = other->make.unit_class == CLASS_CONSOLE && !other->powered;
        pulled |= other != one && (is_dead || other->unit.pulls_line);
    }
    return pulled;
}

static void boot(struct cabinet *cabinet, struct standing *one, enum reset_cause cause)
{
    struct memory memory;
    enum memory_health health = found_in(&one->store, (uint16_t)random_of(cabinet), &memory, &one->generation);
    one->powered = true;
    unit_boot(&one->unit, &one->make, &memory, health, cause, random_of(cabinet), cabinet->now);
    one->unit.line_is_pulled = is_pulled_for(cabinet, one);
    if (health == MEMORY_LOST) {
        one->store.epochs[0] = one->store.epochs[1] = epoch_cell_of(memory.epoch);
        write_store(one, &one->store.epochs, sizeof one->store.epochs);
    }
    save(one);
}

bool make_of(const char *words, struct make *make)
{
    unsigned number, seats = 1, first = 1, serial_number;
    *make = (struct make){.hardware = 1, .firmware = 1, .product = "POZO REFERENCE"};
    if (sscanf(words, "table:%u:%u:%u:%u", &number, &seats, &first, &serial_number) == 4) {
        make->unit_class = CLASS_TABLE;
        make->capabilities = HAS_BUTTONS | HAS_LAMP | HAS_CURRENT_SENSE | HAS_CREDIT_DISPLAY | HAS_NVM | HAS_LOCK_LINE | HAS_WRITE_READ;
    } else if (sscanf(words, "console:%u:%u", &number, &serial_number) == 2) {
        make->unit_class = CLASS_CONSOLE;
        make->capabilities = HAS_NVM | HAS_LOCK_KEY | HAS_UNLOCK_KEY | HAS_LOCK_LINE | HAS_WRITE_READ;
    } else
        return false;
    make->unit = (uint8_t)number;
    make->seats = (uint8_t)seats;
    make->first_seat = (uint8_t)first;
    make->serial = serial_number;
    return number >= 1 && number <= 247 && seats >= 1 && seats <= MOST_SEATS && first >= 1 && first <= 99;
}

static void leave_factory(struct standing *one)
{
    struct memory memory = blank_memory(1);
    one->store.epochs[0] = one->store.epochs[1] = epoch_cell_of(memory.epoch);
    one->store.slots[0] = one->store.slots[1] = slot_of(&memory, 0);
    write_store(one, &one->store, sizeof one->store);
}

void cabinet_add(struct cabinet *cabinet, const struct make *make, int file)
{
    struct standing *one = &cabinet->units[cabinet->count++];
    *one = (struct standing){.make = *make, .file = file, .plugged = true};
    if (file < 0 || pread(file, &one->store, sizeof one->store, 0) != (ssize_t)sizeof one->store)
        leave_factory(one);
    boot(cabinet, one, RESET_POWER_ON);
}

/* ------------------------------------------------------------------------------------------------- lamps, wires */

static uint16_t current_through(const struct standing *one, unsigned seat)
{
    unsigned good = (setting(&one->unit, C_LAMP_LEAST) + setting(&one->unit, C_LAMP_MOST)) / GOOD_PART;
    bool lit = one->unit.seats[seat - 1].lamp.lit;
    switch (one->lamps[seat - 1]) {
    case LAMP_BROKEN: return 0;
    case LAMP_SHORTED: return lit ? MUCH_CURRENT : 0;
    case LAMP_ALWAYS_LIT: return (uint16_t)good;
    default: return lit ? (uint16_t)good : 0;
    }
}

static void measure_lamps(struct standing *one)
{
    if (one->make.capabilities & HAS_CURRENT_SENSE)
        for (unsigned seat = 1; seat <= one->make.seats && one->powered; seat++)
            unit_current(&one->unit, seat, current_through(one, seat));
}

static void feel_line(struct cabinet *cabinet)
{
    for (unsigned i = 0; i < cabinet->count; i++) {
        struct standing *one = &cabinet->units[i];
        if (one->powered && one->make.capabilities & HAS_LOCK_LINE) {
            unit_line(&one->unit, is_pulled_for(cabinet, one));
            save(one);
        }
    }
}

static void let_go(struct standing *one, uint32_t now)
{
    for (unsigned seat = 0; seat < one->make.seats; seat++)
        for (unsigned button = 0; button < BUTTONS; button++)
            if (one->is_pressed[seat][button] && one->let_go_at[seat][button] == now)
                one->is_pressed[seat][button] = false;
    for (unsigned key = 0; key < 2; key++)
        if (one->keys_are_pressed[key] && one->keys_let_go_at[key] == now)
            one->keys_are_pressed[key] = false;
}

static void feel_fingers(struct standing *one)
{
    for (unsigned seat = 0; seat < one->make.seats; seat++)
        for (unsigned button = 0; button < BUTTONS; button++)
            unit_button(&one->unit, seat + 1, button + 1, one->is_pressed[seat][button]);
    unit_key(&one->unit, &one->unit.lock_key, one->keys_are_pressed[0]);
    unit_key(&one->unit, &one->unit.unlock_key, one->keys_are_pressed[1]);
    unit_key(&one->unit, &one->unit.key_switch, one->key_is_on);
}

static void one_millisecond(struct cabinet *cabinet, struct standing *one)
{
    let_go(one, cabinet->now);
    if (!one->powered)
        return;
    if (one->unit.wants_reboot)
        boot(cabinet, one, RESET_COMMAND);
    feel_fingers(one);
    unit_tick(&one->unit, cabinet->now);
    save(one);
    measure_lamps(one);
    save(one);
}

void cabinet_run(struct cabinet *cabinet, uint32_t now)
{
    while (cabinet->now != now) {
        cabinet->now++;
        for (unsigned i = 0; i < cabinet->count; i++)
            one_millisecond(cabinet, &cabinet->units[i]);
        feel_line(cabinet);
    }
}

size_t cabinet_answer(struct cabinet *cabinet, const struct frame *question, uint8_t *answer)
{
    size_t size = 0;
    for (unsigned i = 0; i < cabinet->count; i++) {
        struct standing *one = &cabinet->units[i];
        bool to_all = question->unit == 0;
        if (!one->powered || !one->plugged || (!to_all && question->unit != one->make.unit))
            continue;
        size = unit_answer(&one->unit, to_all, question->message, question->size, answer);
        save(one);
        if (!one->powered)
            size = 0;
    }
    feel_line(cabinet);
    return size;
}

/* ------------------------------------------------------------------------------------------------- hands */

struct order {
    const char *words[5];
    unsigned count;
};

static bool is_word(const struct order *order, unsigned place, const char *word)
{
    return place < order->count && strcmp(order->words[place], word) == 0;
}

static unsigned number_at(const struct order *order, unsigned place)
{
    unsigned number = 0;
    if (place < order->count)
        sscanf(order->words[place], "%3u", &number);
    return number;
}

static const char *at_seat(struct standing *one, unsigned seat, const struct order *order, uint32_t now)
{
    static const char *const conditions[] = {"ok", "open", "short", "lit"};
    unsigned button = number_at(order, 3);
    bool is_press = is_word(order, 2, "press");
    if (is_press || is_word(order, 2, "hold") || is_word(order, 2, "release")) {
        if (button < 1 || button > BUTTONS)
            return "no: which button, 1 to 4?";
        one->is_pressed[seat][button - 1] = !is_word(order, 2, "release");
        one->let_go_at[seat][button - 1] = is_press ? now + A_PRESS_LASTS : now;
        return "ok";
    }
    if (is_word(order, 2, "tamper")) {
        if (one->powered)
            unit_tampered(&one->unit, seat + 1);
        return "ok";
    }
    for (int condition = LAMP_OK; is_word(order, 2, "lamp") && condition <= LAMP_ALWAYS_LIT; condition++)
        if (is_word(order, 3, conditions[condition])) {
            one->lamps[seat] = (enum condition)condition;
            return "ok";
        }
    return "no: a seat can press, hold, release, lamp or tamper";
}

static const char *at_console(struct cabinet *cabinet, struct standing *one, const struct order *order)
{
    unsigned key = is_word(order, 1, "unlock");
    if (is_word(order, 1, "line")) {
        cabinet->line_is_broken = is_word(order, 2, "pull");
        return "ok";
    }
    if (one == NULL)
        return "no: there is no console here";
    if (is_word(order, 1, "key"))
        one->key_is_on = is_word(order, 2, "on");
    else if (key || is_word(order, 1, "lock")) {
        one->keys_are_pressed[key] = true;
        one->keys_let_go_at[key] = cabinet->now + A_PRESS_LASTS;
    } else
        return "no: a console can lock, unlock, key on, key off, line pull, line free";
    return "ok";
}

static const char *cut_power(struct standing *one, const struct order *order)
{
    static const char *const places[] = {"", "before", "torn", "between", "after"};
    for (int cut = CUT_BEFORE; cut <= CUT_AFTER; cut++)
        if (is_word(order, 3, places[cut])) {
            one->cut = (enum cut)cut;
            return "ok";
        }
    return "no: before, torn, between or after the next write?";
}

/* Nothing is read before the next boot. */
static void spoil(struct standing *one, int first, int last)
{
    struct slot nothing;
    memset(&nothing, 0xFF, sizeof nothing);
    for (int place = first; place <= last; place++)
        write_slot(one, place, &nothing, sizeof nothing);
}

static const char *at_plug(struct cabinet *cabinet, struct standing *one, const struct order *order)
{
    if (is_word(order, 2, "off"))
        power_off(one);
    else if (is_word(order, 2, "on") && !one->powered)
        boot(cabinet, one, RESET_POWER_ON);
    else if (is_word(order, 2, "reboot") && one->powered)
        boot(cabinet, one, RESET_WATCHDOG);
    else if (is_word(order, 2, "unplug") || is_word(order, 2, "plug"))
        one->plugged = is_word(order, 2, "plug");
    else if (is_word(order, 2, "forget"))
        spoil(one, 0, 1);
    else if (is_word(order, 2, "damage"))
        spoil(one, 0, 0);
    else if (is_word(order, 2, "cut"))
        return cut_power(one, order);
    else if (!is_word(order, 2, "on") && !is_word(order, 2, "reboot"))
        return "no: a unit can be off, on, reboot, unplug, plug, forget, damage, or cut WHERE";
    return "ok";
}

static const char *lamp_words(const struct standing *one, unsigned seat)
{
    static const char *const words[] = {"dark", "steady", "fast blink", "wink", "test"};
    if (one->lamps[seat] == LAMP_ALWAYS_LIT)
        return "steady";
    bool shows = one->powered && one->lamps[seat] == LAMP_OK;
    return words[shows ? one->unit.seats[seat].lamp.drive : DRIVE_OFF];
}

static void tell_standing(const struct standing *one, char *said)
{
    char *end = said + strlen(said);
    size_t room = MOST_SAID - (size_t)(end - said);
    if (one->make.unit_class == CLASS_CONSOLE) {
        const char *light = !one->powered ? "dark" : one->unit.state == OPEN ? "open" : "closed";
        snprintf(end, room, "console: %s, key %s; ", light, one->key_is_on ? "on" : "off");
        return;
    }
    for (unsigned seat = 0; seat < one->make.seats && room > 1; seat++) {
        int put = snprintf(end, room, "seat %u: lamp %s", one->make.first_seat + seat, lamp_words(one, seat));
        end += put, room -= (size_t)put;
        put = one->powered ? snprintf(end, room, ", shows %u; ", (unsigned)balance_of(&one->unit.memory.seats[seat]))
                           : snprintf(end, room, ", no power; ");
        end += put, room -= (size_t)put;
    }
}

static struct standing *whose(struct cabinet *cabinet, const struct order *order)
{
    for (unsigned i = 0; i < cabinet->count; i++) {
        struct standing *one = &cabinet->units[i];
        bool is_a_console = one->make.unit_class == CLASS_CONSOLE;
        unsigned number = number_at(order, 1), first = one->make.first_seat;
        if (is_word(order, 0, "console") && is_a_console)
            return one;
        if (is_word(order, 0, "unit") && number == one->make.unit)
            return one;
        if (is_word(order, 0, "seat") && !is_a_console && number >= first && number < first + one->make.seats)
            return one;
    }
    return NULL;
}

static const char *obeyed(struct cabinet *cabinet, const struct order *order)
{
    struct standing *one = whose(cabinet, order);
    if (is_word(order, 0, "console"))
        return at_console(cabinet, one, order);
    if (one == NULL)
        return "no: nobody of that number is here; seat N, unit N, console, status";
    const char *said = is_word(order, 0, "unit") ? at_plug(cabinet, one, order)
                                                 : at_seat(one, number_at(order, 1) - one->make.first_seat, order, cabinet->now);
    save(one);
    return said;
}

void cabinet_obey(struct cabinet *cabinet, const char *words, char *said)
{
    char copy[MOST_SAID];
    struct order order = {0};
    snprintf(copy, sizeof copy, "%s", words);
    for (char *word = strtok(copy, " \r\n"); word != NULL && order.count < 5; word = strtok(NULL, " \r\n"))
        order.words[order.count++] = word;
    said[0] = '\0';
    if (is_word(&order, 0, "status"))
        for (unsigned i = 0; i < cabinet->count; i++)
            tell_standing(&cabinet->units[i], said);
    else if (order.count > 0)
        snprintf(said, MOST_SAID, "%s", obeyed(cabinet, &order));
    feel_line(cabinet);
}
