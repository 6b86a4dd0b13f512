/* A memory that a power cut cannot spoil. Each write goes to the first slot and then to the second, and what it changed is
   told to nobody before both are written. So whatever instant the power goes at, one slot is whole:

   - the first is torn: the second has what was before; the write never happened, and nobody has seen it;
   - the second is torn, or older: the first has all of it;
   - one has rotted later: the other is the same.

   A single copy that alternates between two places could not tell the last case from the first, and would go back to
   totals that the host has already booked. The epoch lies apart, since it must outlive the totals: +1 is said by
   whoever still knows the number before. */
#include "slots.h"

/* CRC-32: eight hundred bytes are too many for sixteen bits. */
static uint32_t crc32_of(const void *bytes, size_t size)
{
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; i++) {
        crc ^= ((const uint8_t *)bytes)[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    }
    return ~crc;
}

static uint32_t check_of_slot(const struct slot *slot)
{
    return crc32_of(slot, offsetof(struct slot, check));
}

struct slot slot_of(const struct memory *memory, uint32_t generation)
{
    struct slot slot = {.generation = generation, .memory = *memory};
    slot.check = check_of_slot(&slot);
    return slot;
}

struct epoch_cell epoch_cell_of(uint16_t epoch)
{
    return (struct epoch_cell){epoch, (uint16_t)~epoch};
}

static uint16_t epoch_after_loss(const struct store *store, uint16_t random)
{
    for (int i = 0; i < 2; i++)
        if ((store->epochs[i].epoch ^ store->epochs[i].inverse) == 0xFFFF)
            return (uint16_t)(store->epochs[i].epoch + 1);
    return random;
}

enum memory_health found_in(const struct store *store, uint16_t random, struct memory *memory, uint32_t *generation)
{
    bool is_good[2];
    for (int i = 0; i < 2; i++)
        is_good[i] = store->slots[i].check == check_of_slot(&store->slots[i]);
    if (!is_good[0] && !is_good[1]) {
        *memory = blank_memory(epoch_after_loss(store, random));
        *generation = 0;
        return MEMORY_LOST;
    }
    const struct slot *slot = &store->slots[is_good[0] ? 0 : 1];
    *memory = slot->memory;
    *generation = slot->generation;
    return is_good[0] && is_good[1] ? MEMORY_OK : MEMORY_RECOVERED;
}
