/* What lies in the non-volatile memory: the memory of a unit twice, and its totals epoch in cells of its own. */
#ifndef SLOTS_H
#define SLOTS_H

#include "unit.h"

struct slot {
    uint32_t generation;
    struct memory memory;
    uint32_t check;
};

struct epoch_cell {
    uint16_t epoch, inverse;
};

struct store {
    struct epoch_cell epochs[2];
    struct slot slots[2];
};

struct slot slot_of(const struct memory *memory, uint32_t generation);
struct epoch_cell epoch_cell_of(uint16_t epoch);
/* `random` is taken for an epoch where none can be read any more. */
enum memory_health found_in(const struct store *store, uint16_t random, struct memory *memory, uint32_t *generation);

#endif
