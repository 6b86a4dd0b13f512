/* The reference firmware on a PC: units behind a pty, a serial port or Modbus TCP, with a file as their memory and a socket
   for hands. All there is of an operating system is here.

   It is single, and waits in `ppoll` for what comes first; time goes on in the cabinet whenever somebody asks. Ending it by
   any signal is a power cut. The file is not synchronised with the disk: the process may die at any instruction, the PC
   may not. */
#define _GNU_SOURCE
#include "cabinet.h"
#include "golden.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TALKS = 16, MOST_LINE = 200, LOOK_EVERY = 10 };

enum kind { NOTHING, SERIAL, TCP_DOOR, TCP_TALK, HANDS_DOOR, HANDS_TALK };

/* One open file, and what came over it so far. */
struct talk {
    enum kind kind;
    struct mbap stream;
    char line[MOST_LINE];
    size_t letters;
};

static struct cabinet cabinet;
static struct rtu serial;
static struct talk talks[MOST_TALKS];
static struct pollfd files[MOST_TALKS];

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

static uint64_t microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static void now_in_the_cabinet(void)
{
    cabinet_run(&cabinet, (uint32_t)(microseconds() / 1000));
}

/* ------------------------------------------------------------------------------------------------- files */

static void hold(int file, enum kind kind)
{
    for (int i = 0; i < MOST_TALKS; i++)
        if (talks[i].kind == NOTHING) {
            talks[i] = (struct talk){.kind = kind};
            files[i] = (struct pollfd){.fd = file, .events = POLLIN};
            return;
        }
    close(file);
}

static void drop(int i)
{
    close(files[i].fd);
    talks[i].kind = NOTHING;
    files[i].fd = -1;
}

static void say(int file, const void *bytes, size_t size)
{
    if (write(file, bytes, size) < 0 && errno != EAGAIN && errno != EPIPE)
        perror("an answer");
}

static speed_t speed_of(unsigned baud)
{
    static const struct { unsigned baud; speed_t speed; } speeds[] = {
        {9600, B9600}, {19200, B19200}, {38400, B38400}, {57600, B57600}, {115200, B115200},
    };
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (speeds[i].baud == baud)
            return speeds[i].speed;
    fprintf(stderr, "no speed: %u\n", baud);
    exit(2);
}

/* Eight bits, even parity, one stop bit (1.7); a pty takes it too, and has no parity. */
static void make_raw(int file, unsigned baud)
{
    struct termios settings;
    if (tcgetattr(file, &settings) != 0)
        fail("the line");
    cfmakeraw(&settings);
    settings.c_cflag |= CLOCAL | CREAD | PARENB;
    cfsetspeed(&settings, speed_of(baud));
    tcsetattr(file, TCSANOW, &settings);
}

/* Our end of a pty stays open with the other one, so a host may come and go. */
static void open_pty(const char *link, unsigned baud)
{
    int file = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (file < 0 || grantpt(file) != 0 || unlockpt(file) != 0)
        fail("a pty");
    const char *name = ptsname(file);
    int other = open(name, O_RDWR | O_NOCTTY);
    if (other < 0)
        fail(name);
    make_raw(other, baud);
    unlink(link);
    if (symlink(name, link) != 0)
        fail(link);
    hold(file, SERIAL);
    printf("rtu %s\n", link);
}

static void open_serial(const char *name, unsigned baud)
{
    int file = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (file < 0)
        fail(name);
    make_raw(file, baud);
    hold(file, SERIAL);
    printf("rtu %s\n", name);
}

static void open_tcp(unsigned port)
{
    struct sockaddr_in place = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    socklen_t size = sizeof place;
    int file = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), yes = 1;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(file, (struct sockaddr *)&place, size) != 0 || listen(file, 8) != 0)
        fail("the TCP port");
    getsockname(file, (struct sockaddr *)&place, &size);
    hold(file, TCP_DOOR);
    printf("tcp socket://127.0.0.1:%u\n", ntohs(place.sin_port));
}

static void open_hands(const char *path)
{
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    snprintf(place.sun_path, sizeof place.sun_path, "%s", path);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
    unlink(path);
    if (bind(file, (struct sockaddr *)&place, sizeof place) != 0 || listen(file, 8) != 0)
        fail(path);
    hold(file, HANDS_DOOR);
    printf("control %s\n", path);
}

/* ------------------------------------------------------------------------------------------------- talk */

static void hear_serial(int file)
{
    uint8_t bytes[512];
    ssize_t count = read(file, bytes, sizeof bytes);
    for (ssize_t i = 0; i < count; i++)
        rtu_hear(&serial, bytes[i], (uint32_t)microseconds());
}

static void answer_serial(int file)
{
    struct frame question;
    uint8_t answer[MOST_MESSAGE], bytes[MOST_FRAME];
    if (!rtu_take(&serial, (uint32_t)microseconds(), &question))
        return;
    now_in_the_cabinet();
    size_t size = cabinet_answer(&cabinet, &question, answer);
    if (size > 0)
        say(file, bytes, rtu_wrap(question.unit, answer, size, bytes));
}

static void hear_tcp(int i)
{
    struct frame question;
    struct mbap *stream = &talks[i].stream;
    uint8_t answer[MOST_MESSAGE], bytes[MOST_FRAME];
    for (;;) {
        ssize_t count = read(files[i].fd, stream->bytes + stream->count, mbap_room(stream));
        if (count == 0 || (count < 0 && errno != EAGAIN)) {
            drop(i);
            return;
        }
        if (count < 0)
            return;
        stream->count += (size_t)count;
        enum mbap_look look = mbap_take(stream, &question);
        if (look == MBAP_NONSENSE) {
            drop(i);
            return;
        }
        if (look == MBAP_UNFINISHED)
            continue;
        now_in_the_cabinet();
        size_t size = cabinet_answer(&cabinet, &question, answer);
        if (size > 0)
            say(files[i].fd, bytes, mbap_wrap(&question, answer, size, bytes));
    }
}

/* One order a line, one answer a line. */
static void hear_hands(int i)
{
    struct talk *talk = &talks[i];
    char letter, said[MOST_SAID + 1];
    while (read(files[i].fd, &letter, 1) == 1) {
        if (letter != '\n') {
            talk->line[talk->letters < MOST_LINE - 1 ? talk->letters++ : talk->letters] = letter;
            continue;
        }
        talk->line[talk->letters] = '\0';
        talk->letters = 0;
        now_in_the_cabinet();
        cabinet_obey(&cabinet, talk->line, said);
        strcat(said, "\n");
        say(files[i].fd, said, strlen(said));
    }
    if (errno != EAGAIN)
        drop(i);
}

static void let_in(int i, enum kind kind)
{
    int file = accept4(files[i].fd, NULL, NULL, SOCK_NONBLOCK);
    if (file >= 0)
        hold(file, kind);
}

static void attend(int i)
{
    errno = 0;
    switch (talks[i].kind) {
    case SERIAL: hear_serial(files[i].fd); break;
    case TCP_DOOR: let_in(i, TCP_TALK); break;
    case TCP_TALK: hear_tcp(i); break;
    case HANDS_DOOR: let_in(i, HANDS_TALK); break;
    case HANDS_TALK: hear_hands(i); break;
    case NOTHING: break;
    }
}

/* Until a byte comes, until the silence after the last one is long enough, or for a little. */
static void wait_a_little(void)
{
    struct timespec wait = {.tv_nsec = LOOK_EVERY * 1000000L};
    if (serial.count > 0)
        wait.tv_nsec = serial.silence * 1000L;
    ppoll(files, MOST_TALKS, &wait, NULL);
}

static void serve(void)
{
    for (;;) {
        wait_a_little();
        for (int i = 0; i < MOST_TALKS; i++) {
            if (files[i].revents != 0)
                attend(i);
            if (talks[i].kind == SERIAL)
                answer_serial(files[i].fd);
        }
        now_in_the_cabinet();
    }
}

/* ------------------------------------------------------------------------------------------------- beginning */

static int memory_file(const char *folder, unsigned unit)
{
    char path[512];
    if (folder == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/unit-%u.nvm", folder, unit);
    int file = open(path, O_RDWR | O_CREAT, 0600);
    if (file < 0)
        fail(path);
    return file;
}

static int how_to_call(void)
{
    fputs("unit [--baud N] [--memory FOLDER] [--control SOCKET] [--tcp PORT] [--pty LINK | --serial DEVICE] UNIT...\n"
          "unit --golden playing|booted|voided\n"
          "UNIT: table:NUMBER:SEATS:FIRST_SEAT:SERIAL or console:NUMBER:SERIAL\n", stderr);
    return 2;
}

int main(int count, char **words)
{
    unsigned baud = 38400;
    const char *folder = NULL;
    struct make make;
    for (int i = 0; i < MOST_TALKS; i++)
        files[i].fd = -1;
    if (getrandom(&cabinet.random, sizeof cabinet.random, 0) < 0 || cabinet.random == 0)
        cabinet.random = 1;
    cabinet.now = (uint32_t)(microseconds() / 1000);
    for (int i = 1; i < count; i++) {
        const char *word = words[i], *next = i + 1 < count ? words[i + 1] : NULL;
        bool is_option = word[0] == '-';
        if (is_option && next == NULL)
            return how_to_call();
        if (strcmp(word, "--golden") == 0)
            return answer_golden_frames(next) ? 0 : how_to_call();
        if (strcmp(word, "--baud") == 0)
            baud = (unsigned)atoi(next);
        else if (strcmp(word, "--memory") == 0)
            folder = next;
        else if (strcmp(word, "--control") == 0)
            open_hands(next);
        else if (strcmp(word, "--tcp") == 0)
            open_tcp((unsigned)atoi(next));
        else if (strcmp(word, "--pty") == 0)
            open_pty(next, baud);
        else if (strcmp(word, "--serial") == 0)
            open_serial(next, baud);
        else if (!is_option && make_of(word, &make) && cabinet.count < MOST_UNITS)
            cabinet_add(&cabinet, &make, memory_file(folder, make.unit));
        else
            return how_to_call();
        i += is_option;
    }
    if (cabinet.count == 0)
        return how_to_call();
    serial.silence = rtu_silence(baud);
    puts("ready");
    fflush(stdout);
    signal(SIGPIPE, SIG_IGN);
    serve();
}
