/* What a program does to the files of one folder, in its order, for a power cut to be imagined at any place of it.
 *
 * LD_PRELOAD puts these functions between a program and the C library. POWERLOSS_FOLDER is the folder (an absolute
 * path without links in it), POWERLOSS_LOG the record outside of it, to which every call that changed something below
 * the folder is appended: see tests/support/store/power_record.py for the form, tests/support/store/power_replay.py for what is made of it.
 *
 * A call and its record are one step to all threads of the program, so the record's order is the disk's. A sync takes
 * long and holds nobody up: its record says how long the record was when it began, and what was written until then
 * is on the disk. Which file a descriptor means is asked of the kernel each time; nothing is remembered, so neither
 * dup nor close nor fork matter. Children of the program are recorded too, each in its own order.
 *
 * Not recorded, since nothing is promised by them: sync_file_range, msync, sync. Not seen: maps of files that are
 * written to, copy_file_range, stdio. Whoever replays compares the end with the real folder, and would find them. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))
#define REAL(type, name, ...)                                                                                          \
    static type (*real)(__VA_ARGS__);                                                                                  \
    if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

enum kind { OPENED = 'O', NAMED = 'N', WRITTEN = 'W', CUT = 'T', SYNCED = 'S', MOVED = 'R', GONE = 'U', FOLDER = 'M' };

struct head {
    uint32_t kind, path, other, unused; /* lengths of the two paths */
    uint64_t inode, number, data;       /* number: an offset, a size, or where the record stood; data: a length */
};

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static char folder[PATH_MAX];
static size_t folder_length;
static int record = -1;

/* SIGUSR2 kills the program where it cannot be between a call and its record: before its next one, or behind it. */
static volatile sig_atomic_t dying;
static void dies(int number) { (void)number, dying = 1; }

__attribute__((constructor)) static void begin(void) {
    const char *where = getenv("POWERLOSS_FOLDER"), *to = getenv("POWERLOSS_LOG");
    if (!where || !to) return;
    REAL(int, "open64", const char *, int, ...);
    record = real(to, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (record < 0) abort();
    folder_length = strlen(strncpy(folder, where, sizeof folder - 1));
    signal(SIGUSR2, dies);
}

/* ------------------------------------------------------------------------------------------- where something is */

static int is_below(const char *path) {
    return record >= 0 && strncmp(path, folder, folder_length) == 0 && (path[folder_length] == '/' || !path[folder_length]);
}

/* The path below the folder that a descriptor has now; nothing if it is elsewhere, or no file. */
static int place_of(int file, char *path) {
    char link[64];
    if (record < 0 || file < 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    int before = errno;
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    errno = before;
    if (length <= 0) return 0;
    path[length] = 0;
    return is_below(path);
}

/* The absolute path of a name, its folder's links followed, its own not. */
static int place_at(int at, const char *name, char *path) {
    char whole[2 * PATH_MAX], start[PATH_MAX] = "";
    if (record < 0 || !name || !*name) return 0;
    int before = errno;
    if (*name != '/') {
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        ssize_t length = at == AT_FDCWD ? readlink("/proc/self/cwd", start, PATH_MAX - 1) : readlink(link, start, PATH_MAX - 1);
        if (length <= 0) return errno = before, 0;
        start[length] = 0;
    }
    snprintf(whole, sizeof whole, "%s%s%s", start, *start ? "/" : "", name);
    char *last = strrchr(whole, '/');
    char *base = last + 1;
    *last = 0;
    char parent[PATH_MAX];
    int found = realpath(*whole ? whole : "/", parent) != NULL;
    errno = before;
    if (!found || strlen(parent) + strlen(base) + 2 > PATH_MAX) return 0;
    strcpy(path, parent);
    strcat(path, "/");
    strcat(path, base);
    return is_below(path);
}

static uint64_t inode_of(int file) {
    struct stat about;
    int before = errno, failed = fstat(file, &about);
    errno = before;
    return failed ? 0 : about.st_ino;
}

static int is_there(const char *path) {
    struct stat about;
    int before = errno, failed = lstat(path, &about);
    errno = before;
    return !failed;
}

static uint64_t length_of_record(void) {
    struct stat about;
    if (fstat(record, &about)) abort();
    return about.st_size;
}

/* ------------------------------------------------------------------------------------------- the record */

static void note(enum kind kind, const char *path, const char *other, uint64_t inode, uint64_t number,
                 const void *data, size_t length) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    int before = errno;
    struct head head = {kind, strlen(path), strlen(other), 0, inode, number, length};
    struct iovec parts[] = {
        {&head, sizeof head}, {(void *)path, head.path}, {(void *)other, head.other}, {(void *)data, length}};
    ssize_t whole = sizeof head + head.path + head.other + length;
    if (real(record, parts, 4) != whole) abort(); /* a record with a hole proves nothing */
    errno = before;
}

static void first(void) {
    pthread_mutex_lock(&turn);
    if (dying) kill(getpid(), SIGKILL);
}
static void last(void) {
    if (dying) kill(getpid(), SIGKILL);
    pthread_mutex_unlock(&turn);
}
#define FIRST first()
#define LAST last()

/* ------------------------------------------------------------------------------------------- names */

static int opened(int file, int flags, const char *path, int was_there) {
    char now[PATH_MAX];
    if (file < 0 || !place_of(file, now)) return file;
    if (!was_there) note(NAMED, path, "", inode_of(file), 0, "", 0);
    else note(OPENED, now, "", inode_of(file), 0, "", 0);
    if (was_there && flags & O_TRUNC && flags & (O_WRONLY | O_RDWR)) note(CUT, now, "", inode_of(file), 0, "", 0);
    return file;
}

static int open_here(int at, const char *name, int flags, mode_t mode) {
    REAL(int, "openat64", int, const char *, int, ...);
    char path[PATH_MAX];
    if (!place_at(at, name, path)) return real(at, name, flags, mode);
    FIRST;
    int was_there = is_there(path);
    int file = opened(real(at, name, flags, mode), flags, path, was_there);
    LAST;
    return file;
}

#define MODE_OF(flags)                                                                                                 \
    mode_t mode = 0;                                                                                                   \
    if (flags & (O_CREAT | __O_TMPFILE)) {                                                                             \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode = va_arg(more, mode_t);                                                                                   \
        va_end(more);                                                                                                  \
    }

#define OPEN(name)                                                                                                     \
    EXPORTED int name(const char *path, int flags, ...) {                                                              \
        MODE_OF(flags)                                                                                                 \
        return open_here(AT_FDCWD, path, flags, mode);                                                                 \
    }
#define OPEN_AT(name)                                                                                                  \
    EXPORTED int name(int at, const char *path, int flags, ...) {                                                      \
        MODE_OF(flags)                                                                                                 \
        return open_here(at, path, flags, mode);                                                                       \
    }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
EXPORTED int __open_2(const char *path, int flags) { return open_here(AT_FDCWD, path, flags, 0); }
EXPORTED int __open64_2(const char *path, int flags) { return open_here(AT_FDCWD, path, flags, 0); }
EXPORTED int __openat_2(int at, const char *path, int flags) { return open_here(at, path, flags, 0); }
EXPORTED int __openat64_2(int at, const char *path, int flags) { return open_here(at, path, flags, 0); }
EXPORTED int creat(const char *path, mode_t mode) { return open_here(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
EXPORTED int creat64(const char *path, mode_t mode) { return creat(path, mode); }

static int made(const char *path, int result) {
    if (!result) note(FOLDER, path, "", 0, 0, "", 0);
    return result;
}

EXPORTED int mkdirat(int at, const char *name, mode_t mode) {
    REAL(int, "mkdirat", int, const char *, mode_t);
    char path[PATH_MAX];
    if (!place_at(at, name, path)) return real(at, name, mode);
    FIRST;
    int result = made(path, real(at, name, mode));
    LAST;
    return result;
}
EXPORTED int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

EXPORTED int unlinkat(int at, const char *name, int flags) {
    REAL(int, "unlinkat", int, const char *, int);
    char path[PATH_MAX];
    if (!place_at(at, name, path)) return real(at, name, flags);
    FIRST;
    int result = real(at, name, flags);
    if (!result) note(GONE, path, "", 0, 0, "", 0);
    LAST;
    return result;
}
EXPORTED int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
EXPORTED int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }
EXPORTED int remove(const char *name) {
    int result = unlink(name);
    return result && errno == EISDIR ? rmdir(name) : result;
}

EXPORTED int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
    REAL(int, "renameat2", int, const char *, int, const char *, unsigned);
    char old[PATH_MAX], new[PATH_MAX];
    int left = place_at(from_at, from, old), right = place_at(to_at, to, new);
    if (!left && !right) return real(from_at, from, to_at, to, flags);
    if (left != right || flags & ~1u) abort(); /* 1: without replacing. Into or out of the folder: not imagined yet */
    FIRST;
    int result = real(from_at, from, to_at, to, flags);
    if (!result) note(MOVED, old, new, 0, 0, "", 0);
    LAST;
    return result;
}
EXPORTED int renameat(int from_at, const char *from, int to_at, const char *to) { return renameat2(from_at, from, to_at, to, 0); }
EXPORTED int rename(const char *from, const char *to) { return renameat2(AT_FDCWD, from, AT_FDCWD, to, 0); }

EXPORTED int linkat(int from_at, const char *from, int to_at, const char *to, int flags) {
    REAL(int, "linkat", int, const char *, int, const char *, int);
    char path[PATH_MAX];
    struct stat about;
    if (!place_at(to_at, to, path)) return real(from_at, from, to_at, to, flags);
    FIRST;
    int result = real(from_at, from, to_at, to, flags);
    if (!result && !lstat(path, &about)) note(OPENED, path, "named", about.st_ino, 0, "", 0);
    LAST;
    return result;
}
EXPORTED int link(const char *from, const char *to) { return linkat(AT_FDCWD, from, AT_FDCWD, to, 0); }

/* ------------------------------------------------------------------------------------------- contents */

static ssize_t wrote(int file, const char *path, const void *data, ssize_t done, off_t at) {
    if (done > 0) note(WRITTEN, path, "", inode_of(file), at, data, done);
    return done;
}

EXPORTED ssize_t write(int file, const void *data, size_t length) {
    REAL(ssize_t, "write", int, const void *, size_t);
    char path[PATH_MAX];
    if (!place_of(file, path)) return real(file, data, length);
    FIRST;
    ssize_t done = real(file, data, length);
    done = wrote(file, path, data, done, done > 0 ? lseek(file, 0, SEEK_CUR) - done : 0);
    LAST;
    return done;
}

EXPORTED ssize_t pwrite64(int file, const void *data, size_t length, off_t at) {
    REAL(ssize_t, "pwrite64", int, const void *, size_t, off_t);
    char path[PATH_MAX];
    if (!place_of(file, path)) return real(file, data, length, at);
    FIRST;
    ssize_t done = wrote(file, path, data, real(file, data, length, at), at);
    LAST;
    return done;
}
EXPORTED ssize_t pwrite(int file, const void *data, size_t length, off_t at) { return pwrite64(file, data, length, at); }

/* Several pieces become one write: what is seen in a file is the same. */
static char *joined(const struct iovec *parts, int count, size_t *length) {
    *length = 0;
    for (int i = 0; i < count; i++) *length += parts[i].iov_len;
    char *whole = malloc(*length + 1), *end = whole;
    if (!whole) abort();
    for (int i = 0; i < count; end += parts[i++].iov_len) memcpy(end, parts[i].iov_base, parts[i].iov_len);
    return whole;
}

EXPORTED ssize_t writev(int file, const struct iovec *parts, int count) {
    REAL(ssize_t, "writev", int, const struct iovec *, int);
    char path[PATH_MAX];
    if (!place_of(file, path)) return real(file, parts, count);
    size_t length;
    char *whole = joined(parts, count, &length);
    ssize_t done = write(file, whole, length);
    free(whole);
    return done;
}

EXPORTED ssize_t pwritev64(int file, const struct iovec *parts, int count, off_t at) {
    REAL(ssize_t, "pwritev64", int, const struct iovec *, int, off_t);
    char path[PATH_MAX];
    if (!place_of(file, path)) return real(file, parts, count, at);
    size_t length;
    char *whole = joined(parts, count, &length);
    ssize_t done = pwrite64(file, whole, length, at);
    free(whole);
    return done;
}
EXPORTED ssize_t pwritev(int file, const struct iovec *parts, int count, off_t at) { return pwritev64(file, parts, count, at); }

/* However a size was changed: it is what the file has afterwards. */
static int sized(int file, const char *path, int result) {
    struct stat about;
    if (!result && !fstat(file, &about)) note(CUT, path, "", about.st_ino, about.st_size, "", 0);
    return result;
}

EXPORTED int ftruncate64(int file, off_t size) {
    REAL(int, "ftruncate64", int, off_t);
    char path[PATH_MAX];
    if (!place_of(file, path)) return real(file, size);
    FIRST;
    int result = sized(file, path, real(file, size));
    LAST;
    return result;
}
EXPORTED int ftruncate(int file, off_t size) { return ftruncate64(file, size); }

EXPORTED int truncate64(const char *name, off_t size) {
    REAL(int, "truncate64", const char *, off_t);
    char path[PATH_MAX];
    if (!place_at(AT_FDCWD, name, path)) return real(name, size);
    int file = open_here(AT_FDCWD, name, O_WRONLY | O_CLOEXEC, 0);
    int result = file < 0 ? -1 : ftruncate64(file, size);
    if (file >= 0) close(file);
    return result;
}
EXPORTED int truncate(const char *name, off_t size) { return truncate64(name, size); }

EXPORTED int fallocate64(int file, int mode, off_t at, off_t length) {
    REAL(int, "fallocate64", int, int, off_t, off_t);
    char path[PATH_MAX];
    if (!place_of(file, path)) return real(file, mode, at, length);
    FIRST;
    int result = sized(file, path, real(file, mode, at, length));
    LAST;
    return result;
}
EXPORTED int fallocate(int file, int mode, off_t at, off_t length) { return fallocate64(file, mode, at, length); }

EXPORTED int posix_fallocate64(int file, off_t at, off_t length) {
    REAL(int, "posix_fallocate64", int, off_t, off_t);
    char path[PATH_MAX];
    if (!place_of(file, path)) return real(file, at, length);
    FIRST;
    int result = sized(file, path, real(file, at, length));
    LAST;
    return result;
}
EXPORTED int posix_fallocate(int file, off_t at, off_t length) { return posix_fallocate64(file, at, length); }

/* ------------------------------------------------------------------------------------------- what is promised */

static int synced(int file, int (*real)(int)) {
    char path[PATH_MAX];
    if (!place_of(file, path)) return real(file);
    FIRST;
    uint64_t since = length_of_record();
    LAST;
    int result = real(file);
    FIRST;
    if (!result) note(SYNCED, path, "", inode_of(file), since, "", 0);
    LAST;
    return result;
}

EXPORTED int fsync(int file) {
    REAL(int, "fsync", int);
    return synced(file, real);
}
EXPORTED int fdatasync(int file) {
    REAL(int, "fdatasync", int);
    return synced(file, real);
}
