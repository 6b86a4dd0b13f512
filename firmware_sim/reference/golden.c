/* The unit of the golden frames (2.7): its make and its states, as the document's words say them. Each question finds it
   as it was, so that every answer can be held against the document byte for byte. */
#include "golden.h"
#include "framing.h"
#include "unit.h"
#include <stdio.h>
#include <string.h>

static const struct make GOLDEN = {
    .unit_class = 1, .capabilities = 0x0CCD, .hardware = 2, .firmware = 0x0103, .firmware_crc = 0x5A3C, .unit = 0x0B,
    .seats = 1, .first_seat = 3, .serial = 0x00010B2A, .product = "POZO SEAT",
};
static const uint16_t CONFIG[BLOCK_WORDS] = {
    [0] = TAG_CONFIG, [C_CREDIT_VALUE + 1] = 100, [C_LEAST] = 1, [C_MOST] = 2, [C_BUTTONS] = 1, [C_BUTTONS + 1] = 2,
    [C_CHIP_CREDITS] = 1, [C_DEBOUNCE] = 30, [C_HOST_TIMEOUT] = 1500, [C_HOLD] = 30, [C_CONFIRM_TIMEOUT] = 1000,
    [C_LAMP_LEAST] = 10, [C_LAMP_MOST] = 30, [C_SETTLE] = 30, [0x11] = 300, [0x12] = 384, [C_PARITY_STOP] = 0x0101,
    [C_UNIT] = 0x0B, [0x15] = 3, [C_ENABLED] = 1, [C_GENERATION] = 7, [C_CHECK] = 0x0481,
};
static const struct event PLAYED[] = {
    {.seq = 39, .uptime = 101200, .kind = EVENT_CREDITS_LOADED, .seat = 1, .credits = 20, .boots = 19},
    {.seq = 40, .uptime = 118004, .kind = EVENT_UNLOCK, .argument = 77, .boots = 19},
    {.seq = 41, .uptime = 121377, .kind = EVENT_PRESS_ACCEPTED, .seat = 1, .argument = 2, .credits = 2, .boots = 19},
    {.seq = 42, .uptime = 121430, .kind = EVENT_BET_CONFIRMED, .seat = 1, .credits = 2, .boots = 19},
};

/* A bet of two credits, lit, in an open round. */
static struct unit playing(void)
{
    struct unit unit = {.make = &GOLDEN, .state = OPEN, .now = 123456, .fed_at = 123456 - 150, .was_fed = true};
    struct memory *memory = &unit.memory;
    *memory = (struct memory){.seq = 42, .cut = 40, .boots = 19, .epoch = 1, .boot_id = 0xBEEF, .round_id = 77};
    memory->is_configured = true;
    memcpy(memory->config, CONFIG, sizeof CONFIG);
    for (unsigned i = 0; i < sizeof PLAYED / sizeof *PLAYED; i++)
        memory->ring[PLAYED[i].seq % RING_DEPTH] = PLAYED[i];
    memory->seats[0] = (struct seat_memory){
        .loaded = 50, .bets = 31, .voided = 1, .presses = 16, .refused = 2, .bet_seq = 41, .round_id = 77,
        .bet_credits = 2, .bet = CONFIRMED,
    };
    unit.seats[0].lamp = (struct lamp){
        .drive = DRIVE_STEADY, .lit = true, .feedback = SEEN_MEASURED | SEEN_IN_WINDOW, .milliamps = 18, .switches = 31,
    };
    unit.is_owned = unit.has_beaten = true;
    unit.token = 0x1234;
    unit.beat = 0x0103; /* so what its frames ask for was done before, and changes nothing here */
    unit.reset_cause = RESET_POWER_ON;
    unit.snapshot = 6;
    unit.command_id = 9;
    unit.result = DONE;
    unit.ack = 42;
    return unit;
}

/* The power went and came while that bet stood. */
static struct unit booted(void)
{
    struct unit unit = playing();
    unit.state = BOOT_LOCKED;
    unit.memory.seq = unit.ack = 44;
    unit.memory.cut = 42;
    unit.memory.boot_id = 0xBEF0;
    unit.memory.seats[0].bet = RESTORED_DARK;
    unit.seats[0].lamp = (struct lamp){.drive = DRIVE_OFF, .feedback = SEEN_MEASURED};
    unit.now = 210;
    unit.was_fed = unit.is_owned = false;
    unit.token = 0x6B1F;
    unit.snapshot = unit.command_id = unit.result = 0;
    return unit;
}

/* The croupier gave the bet back. */
static struct unit voided(void)
{
    struct unit unit = playing();
    unit.memory.seq = 43;
    unit.memory.seats[0].bet = VOIDED;
    unit.memory.seats[0].voided = 3;
    unit.seats[0].lamp = (struct lamp){.drive = DRIVE_OFF, .feedback = SEEN_MEASURED};
    unit.now = 125002;
    unit.fed_at = unit.now - 20;
    unit.snapshot = 8;
    unit.command_id = 13;
    return unit;
}

static size_t bytes_of(const char *text, uint8_t *bytes, size_t most)
{
    size_t count = 0;
    unsigned byte;
    for (int used; count < most && sscanf(text, " %2x%n", &byte, &used) == 1; text += used)
        bytes[count++] = (uint8_t)byte;
    return count;
}

static void tell(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        printf(i + 1 < size ? "%02x " : "%02x", bytes[i]);
    puts(size > 0 ? "" : "silence");
}

static bool is_for(const struct unit *unit, const struct frame *frame)
{
    return frame->unit == unit->make->unit || frame->unit == 0;
}

/* On a serial line that falls silent after these bytes; what is no frame there may be one of TCP. */
static void answer_line(struct unit unit, const char *text)
{
    struct rtu line = {.silence = rtu_silence(38400)};
    struct mbap stream = {0};
    struct frame frame;
    uint8_t bytes[MOST_FRAME], answer[MOST_FRAME];
    size_t size = 0;
    stream.count = bytes_of(text, stream.bytes, sizeof stream.bytes);
    for (size_t i = 0; i < stream.count; i++)
        rtu_hear(&line, stream.bytes[i], 0);
    bool is_rtu = rtu_take(&line, line.silence, &frame);
    if ((is_rtu || mbap_take(&stream, &frame) == MBAP_FRAME) && is_for(&unit, &frame))
        size = unit_answer(&unit, frame.unit == 0, frame.message, frame.size, answer);
    if (size > 0)
        size = is_rtu ? rtu_wrap(frame.unit, answer, size, bytes) : mbap_wrap(&frame, answer, size, bytes);
    tell(bytes, size);
}

int answer_golden_frames(const char *state)
{
    char text[4 * MOST_FRAME];
    bool is_booted = strcmp(state, "booted") == 0, is_voided = strcmp(state, "voided") == 0;
    if (!is_booted && !is_voided && strcmp(state, "playing") != 0)
        return 0;
    while (fgets(text, sizeof text, stdin) != NULL)
        answer_line(is_booted ? booted() : is_voided ? voided() : playing(), text);
    return 1;
}
