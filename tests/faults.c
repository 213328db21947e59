/*
 * faults.c: preloaded to a program, makes calls of the system fail, or do less than they were asked for.
 *
 * The environment variable FAULTS names a file of at least one page, which a test and the program share: one
 * `struct fault` for each kind of call, in the order of `enum kind`, and then the seconds by which the
 * calendar is ahead. A test may change it at any time. One call in `every` of that kind fails, or the one
 * whose number is `at`. With `error` 0 it is not refused, but cut to a single byte; with -1 the program is
 * killed before it.
 *
 * With WITHOUT_ALLOCATIONS it leaves allocations to a sanitizer.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind {
    SOCKET_READ,
    SOCKET_WRITE,
    FILE_READ,
    FILE_WRITE, /* pipes too: the log is one */
    ACCEPT,
    OPEN,
    WAIT,
    ALLOCATE, /* by the program itself: libraries have their own ways */
    THREAD,
    RENAME,
    SYNC,
    KINDS
};

struct fault {
    _Atomic uint32_t every; /* 0: none */
    _Atomic uint32_t at;    /* 0: none */
    _Atomic int32_t error;
    _Atomic uint32_t calls;
    _Atomic uint32_t hits;
};

struct shared {
    struct fault faults[KINDS];
    _Atomic int64_t ahead;
};

static struct shared *shared;
static uintptr_t program_start, program_end;

/* The functions that give OpenSSL its memory: H2O ends the process where OpenSSL gets none, as it means to.
 */
static uintptr_t openssl_start, openssl_end;

/* The program itself comes first. */
static int note_program(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    program_start = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && end > program_end)
            program_end = end;
    }
    return 1;
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FAULTS");
    int file = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return;
    dl_iterate_phdr(note_program, NULL);
    const char *range = getenv("FAULTS_OPENSSL"); /* START-END, from the program's start */
    char *rest = NULL;
    if (range) {
        openssl_start = program_start + strtoul(range, &rest, 16);
        openssl_end = program_start + strtoul(rest + 1, NULL, 16);
    }
    void *memory =
        (void *)syscall(SYS_mmap, NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    syscall(SYS_close, file);
    if (memory != MAP_FAILED)
        shared = memory;
}

/* Whether this call is one that fails. */
static bool strikes(enum kind kind)
{
    if (!shared)
        return false;
    struct fault *fault = &shared->faults[kind];
    uint32_t every = fault->every, at = fault->at, number = ++fault->calls;
    if (!(every && number % every == 0) && number != at)
        return false;
    fault->hits++;
    if (fault->error == -1)
        kill(getpid(), SIGKILL);
    return true;
}

/* False, with errno set, if the call is refused; true if it goes on, with `size` as it is to be asked for. */
static bool passes(enum kind kind, size_t *size)
{
    if (!strikes(kind))
        return true;
    int error = shared->faults[kind].error;
    if (error) {
        errno = error;
        return false;
    }
    if (*size > 1)
        *size = 1;
    return true;
}

static bool is_of_program(const void *caller)
{
    uintptr_t place = (uintptr_t)caller;
    bool is_for_openssl = place >= openssl_start && place < openssl_end;
    return place >= program_start && place < program_end && !is_for_openssl;
}

static bool is_socket(int file)
{
    int type;
    socklen_t length = sizeof(type);
    int kept = errno;
    bool is = getsockopt(file, SOL_SOCKET, SO_TYPE, &type, &length) == 0;
    errno = kept;
    return is;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Writes of libraries to pipes, which wake each other's threads, do not fail. */
static bool may_fail(int file, const void *caller)
{
    return shared && (is_socket(file) || is_of_program(caller));
}

ssize_t read(int file, void *bytes, size_t size)
{
    if (may_fail(file, __builtin_return_address(0)) &&
        !passes(is_socket(file) ? SOCKET_READ : FILE_READ, &size))
        return -1;
    return NEXT(read)(file, bytes, size);
}

ssize_t recv(int socket, void *bytes, size_t size, int flags)
{
    return passes(SOCKET_READ, &size) ? NEXT(recv)(socket, bytes, size, flags) : -1;
}

ssize_t write(int file, const void *bytes, size_t size)
{
    if (may_fail(file, __builtin_return_address(0)) &&
        !passes(is_socket(file) ? SOCKET_WRITE : FILE_WRITE, &size))
        return -1;
    return NEXT(write)(file, bytes, size);
}

ssize_t send(int socket, const void *bytes, size_t size, int flags)
{
    return passes(SOCKET_WRITE, &size) ? NEXT(send)(socket, bytes, size, flags) : -1;
}

ssize_t writev(int file, const struct iovec *pieces, int count)
{
    size_t size = SIZE_MAX;
    if (!passes(SOCKET_WRITE, &size))
        return -1;
    if (size == SIZE_MAX)
        return NEXT(writev)(file, pieces, count);
    while (count > 1 && pieces->iov_len == 0)
        pieces++, count--;
    return NEXT(write)(file, pieces->iov_base, pieces->iov_len < size ? pieces->iov_len : size);
}

int accept4(int socket, struct sockaddr *address, socklen_t *length, int flags)
{
    size_t size = 0;
    return passes(ACCEPT, &size) ? NEXT(accept4)(socket, address, length, flags) : -1;
}

static bool may_open(void)
{
    size_t size = 0;
    return passes(OPEN, &size);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return may_open() ? NEXT(open)(path, flags, mode) : -1;
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return may_open() ? NEXT(openat)(folder, path, flags, mode) : -1;
}

FILE *fopen(const char *path, const char *mode)
{
    return may_open() ? NEXT(fopen)(path, mode) : NULL;
}

int renameat(int from, const char *old, int to, const char *new)
{
    size_t size = 0;
    return passes(RENAME, &size) ? NEXT(renameat)(from, old, to, new) : -1;
}

/* Only the program is lost here, so a write to the disk is not waited for. */
int fsync(int file)
{
    size_t size = 0;
    (void)file;
    return passes(SYNC, &size) ? 0 : -1;
}

int epoll_wait(int file, struct epoll_event *events, int most, int milliseconds)
{
    size_t size = 0;
    return passes(WAIT, &size) ? NEXT(epoll_wait)(file, events, most, milliseconds) : -1;
}

int poll(struct pollfd *files, nfds_t count, int milliseconds)
{
    size_t size = 0;
    return passes(WAIT, &size) ? NEXT(poll)(files, count, milliseconds) : -1;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *data)
{
    if (strikes(THREAD))
        return shared->faults[THREAD].error;
    return NEXT(pthread_create)(thread, attributes, run, data);
}

#ifndef WITHOUT_ALLOCATIONS

/*
 * Allocations of the program itself
 */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static bool is_refused(const void *caller)
{
    if (!shared || !is_of_program(caller) || !strikes(ALLOCATE))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

#endif

/*
 * The calendar
 */

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (shared && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += shared->ahead;
    return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    *now = (struct timeval){.tv_sec = precise.tv_sec, .tv_usec = precise.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *out)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out)
        *out = now.tv_sec;
    return now.tv_sec;
}
