/* A table on a PC: the units of one line, the lamps and the lock line between them, and the hands of a person. */
#ifndef CABINET_H
#define CABINET_H

#include "framing.h"
#include "slots.h"

enum { MOST_UNITS = 4, MOST_SAID = 2000 };

enum condition { LAMP_OK, LAMP_BROKEN, LAMP_SHORTED, LAMP_ALWAYS_LIT };

/* Where the power goes at the next write to the memory (the words `unit N cut WHERE`). */
enum cut { CUT_NOT, CUT_BEFORE, CUT_TORN, CUT_BETWEEN, CUT_AFTER };

struct standing {
    struct make make;
    struct unit unit;
    struct store store;
    uint32_t generation;
    int file; /* the non-volatile memory; -1: only as long as the program */
    bool powered, plugged;
    enum cut cut;
    enum condition lamps[MOST_SEATS];
    uint32_t let_go_at[MOST_SEATS][BUTTONS], keys_let_go_at[2];
    bool is_pressed[MOST_SEATS][BUTTONS], keys_are_pressed[2], key_is_on;
};

struct cabinet {
    unsigned count;
    uint32_t now, random;
    bool line_is_broken;
    struct standing units[MOST_UNITS];
};

/* `table:NUMBER:SEATS:FIRST_SEAT:SERIAL` or `console:NUMBER:SERIAL`; whether it is either. */
bool make_of(const char *words, struct make *make);
void cabinet_add(struct cabinet *cabinet, const struct make *make, int file);
/* Everything up to this millisecond, one by one. */
void cabinet_run(struct cabinet *cabinet, uint32_t now);
/* The answer of whoever is meant; its length, or 0 for silence. */
size_t cabinet_answer(struct cabinet *cabinet, const struct frame *question, uint8_t *answer);
/* The words of `pozo sim`: «seat 3 press 1»; what is said to them, in one line. */
void cabinet_obey(struct cabinet *cabinet, const char *words, char *said);

#endif
