/* A native unit without hardware: a table of one to nine seats with buttons, or a croupier's console.

   The core is plain functions on one struct. It has no heap, no port and no clock: whoever owns the hardware calls
   `unit_tick` each millisecond with the time, tells it what fingers and wires do, hands it the questions of the host, and
   drives lamps as it says. One rule binds the owner: when `unsaved` stands after a call, `memory` goes to the
   non-volatile memory, whole and atomically, before an answer goes out or a lamp changes. So a power cut before that
   write undoes the call, and nobody has seen it; one after it loses nothing. The lamp follows the memory (2.4). */
#ifndef UNIT_H
#define UNIT_H

#include "contract.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the factory wrote into the device. */
struct make {
    uint16_t unit_class, capabilities, hardware, firmware, firmware_crc;
    uint8_t unit, seats, first_seat;
    uint32_t serial;
    char product[16];
};

struct event {
    uint32_t seq, uptime;
    uint8_t kind, seat;
    uint16_t argument, credits, boots;
};

/* A console counts in the same places: lock presses, unlock presses and changes of the key switch (2.3 A). */
struct seat_memory {
    uint32_t loaded, bets, voided, cashed, presses, refused, bet_seq;
    uint16_t round_id, bet_credits, latched;
    uint8_t bet, cause, disabled, spare[3];
};

/* All that survives a power cut; it is written as a whole. */
struct memory {
    uint32_t seq, cut, boots;
    uint16_t epoch, boot_id, round_id, latched;
    uint8_t was_open, round_is_sealed, is_configured, spare;
    uint16_t config[BLOCK_WORDS];
    struct event ring[RING_DEPTH];
    struct seat_memory seats[MOST_SEATS];
};
_Static_assert(sizeof(struct memory) == 24 + 64 + RING_DEPTH * 16 + MOST_SEATS * 40, "no bytes between: it is checked as bytes");

/* A button, a key or the key switch: settled when nothing moved for the debounce time. */
struct contact {
    bool raw, settled, was_before_lock;
    uint32_t since;
};

struct lamp {
    uint8_t drive, feedback, sampled, samples;
    bool lit, is_cut;
    uint16_t milliamps, switches;
    uint32_t driven_at, switched_at;
};

struct seat {
    struct contact buttons[BUTTONS];
    struct lamp lamp;
    uint16_t faults;
    uint32_t pending_since;
};

struct unit {
    const struct make *make;
    struct memory memory;
    bool unsaved, wants_reboot, pulls_line;

    uint32_t now, booted_at;
    uint8_t reset_cause, health, state;

    uint16_t token, session_id;
    uint32_t host;
    bool is_owned, saw_second_host, has_beaten, is_recalled; /* recalled: a session was opened while out of service */
    uint16_t beat, lamp_word, desired[WRITE_WORDS];
    bool was_fed, is_host_lost, must_be_seen;
    uint32_t fed_at, ack, lock_to_see;

    uint16_t staged[BLOCK_WORDS];
    bool is_staged;
    uint16_t command_id, result, snapshot;

    bool line_is_pulled;
    struct contact lock_key, unlock_key, key_switch;
    struct seat seats[MOST_SEATS];
};

/* For the owner of the hardware. */

/* `memory` is what was found; `random` is any number that is hard to guess. A line that is pulled already is put into
   `line_is_pulled` after it: only an edge is a lock. */
void unit_boot(struct unit *unit, const struct make *make, const struct memory *memory, enum memory_health health,
               enum reset_cause cause, uint32_t random, uint32_t now);
void unit_tick(struct unit *unit, uint32_t now);
void unit_button(struct unit *unit, unsigned seat, unsigned button, bool down);
void unit_tampered(struct unit *unit, unsigned seat);
void unit_key(struct unit *unit, struct contact *key, bool down);
void unit_line(struct unit *unit, bool pulled); /* by others: without the unit's own pull */
void unit_current(struct unit *unit, unsigned seat, uint16_t milliamps);
/* The answer to a message (without address and checksum); its length, or 0 for silence. `answer` holds 253 bytes. */
size_t unit_answer(struct unit *unit, bool to_all, const uint8_t *message, size_t size, uint8_t *answer);
/* A memory as it leaves the factory, or begins again after its totals were lost: of this epoch. */
struct memory blank_memory(uint16_t epoch);

/* Among the files of the core. */

static inline uint32_t u32_of(const uint16_t *words) { return (uint32_t)words[0] << 16 | words[1]; }
static inline bool is_newer(uint32_t a, uint32_t b) { return a != b && a - b < 0x80000000u; } /* (2.1.2) */
static inline bool is_console(const struct unit *unit) { return unit->make->unit_class == CLASS_CONSOLE; }
static inline bool is_standing(uint8_t bet) { return bet != BET_NONE && bet != VOIDED; }

uint16_t crc16(uint16_t crc, uint8_t byte);
uint16_t check_of(const uint16_t *words, unsigned count, unsigned place);

void record(struct unit *unit, enum event_kind kind, unsigned seat, unsigned argument, uint32_t credits);
uint32_t balance_of(const struct seat_memory *seat);
bool any_bet(const struct unit *unit, uint8_t bet);
bool any_standing(const struct unit *unit);
bool is_enabled(const struct unit *unit, unsigned seat);
unsigned setting(const struct unit *unit, unsigned word);

void pressed(struct unit *unit, unsigned seat, unsigned button);
void confirm_bets(struct unit *unit);
void void_bet(struct unit *unit, unsigned seat, enum void_cause cause);
void void_pending(struct unit *unit, enum void_cause cause);
void restore_dark(struct unit *unit);
void relight(struct unit *unit, unsigned seat);
void begin_round(struct unit *unit, uint16_t round_id);

void lock(struct unit *unit, enum lock_cause cause);
void settle(struct unit *unit);
void unlock(struct unit *unit, uint16_t round_id);
void obey_desired(struct unit *unit, const uint16_t *words, bool to_all);
void open_session(struct unit *unit, uint16_t id, uint32_t host);
void watch_host(struct unit *unit);

void watch_fingers(struct unit *unit);
void drive_lamps(struct unit *unit);
void obey_command(struct unit *unit, const uint16_t *words);
bool is_sound_config(const struct unit *unit, const uint16_t *words);
uint16_t latched_of_unit(const struct unit *unit);
unsigned poll_words(const struct unit *unit);
bool read_block(struct unit *unit, unsigned address, unsigned count, uint16_t *words);

#endif
