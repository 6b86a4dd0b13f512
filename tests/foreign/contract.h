/* The native contract as a stranger would write it down, from docs/device-contract.md and nothing of ours: addresses,
   tags, and a checksum done bit by bit. Shared by the foreign master and the foreign slave. */
#include <stdint.h>

enum {
    IDENTITY = 0x0000, RING = 0x0200, CONFIG = 0x0300, DESIRED = 0x0400, COMMAND = 0x0410, DETAIL = 0x1000,
    FAST_POLL = 0x2000, SPACE = 0x2100,
    MAGIC = 0x4A50, TAG_POLL = 0xA501, TAG_DETAIL = 0xA502, TAG_RING = 0xA503, TAG_CONFIG = 0xA504,
    LOCK = 0x4C4F, UNLOCK = 0x554E, OPEN_SESSION = 1, DONE = 1,
    OPEN = 1, LOCKED = 3
};

static uint16_t crc_step(uint16_t crc, uint8_t byte) {
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++)
        crc = crc & 1 ? (crc >> 1) ^ 0xA001 : crc >> 1;
    return crc;
}

/* Of `count` words, all but the one at `place`, each with its high byte first. */
static uint16_t check_of(const uint16_t *words, int count, int place) {
    uint16_t crc = 0xFFFF;
    for (int i = 0; i < count; i++)
        if (i != place)
            crc = crc_step(crc_step(crc, words[i] >> 8), words[i] & 0xFF);
    return crc;
}
