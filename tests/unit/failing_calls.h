/*
 * failing_calls.h: the memory runs out at each place of the program that asks for some.
 *
 * The linker leads the calls of malloc and its kin to here (tests/CMakeLists.txt); OpenSSL and libcurl take
 * theirs by way of certs/memory.c and kube/library.c. A place is the chain of the program's own calls that
 * leads to an allocation: of the thousand that OpenSSL makes for one of ours, the first fails, and at
 * every second place all after it. A program includes this once.
 */
#ifndef APPLYGUARD_TESTS_FAILING_CALLS_H
#define APPLYGUARD_TESTS_FAILING_CALLS_H

#include "base/error.h"

#include <execinfo.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { PLACES_MAX = 1 << 12, FRAMES_MAX = 128 };

static struct {
    size_t calls;   /* since whoever counts set it to 0 */
    size_t fail_at; /* the number of the call that fails, counted from 1; 0: none */
    bool fail_once; /* the later ones succeed again */
    bool is_noting;
    bool is_paused;              /* for what the test does itself */
    uint64_t places[PLACES_MAX]; /* a table of hashes */
    size_t firsts[PLACES_MAX];   /* the number of the first call of each place */
    size_t place_count;
} calls;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);

extern const char __executable_start[], etext[];

static uint64_t hash_of_place(void)
{
    void *frames[FRAMES_MAX];
    int count = backtrace(frames, FRAMES_MAX);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < count; i++) {
        uintptr_t frame = (uintptr_t)frames[i];
        if (frame >= (uintptr_t)__executable_start && frame < (uintptr_t)etext)
            hash = (hash ^ frame) * UINT64_C(1099511628211);
    }
    return hash ? hash : 1;
}

static void note_place(void)
{
    uint64_t hash = hash_of_place();
    size_t slot = hash % PLACES_MAX;
    while (calls.places[slot] && calls.places[slot] != hash)
        slot = (slot + 1) % PLACES_MAX;
    if (calls.places[slot])
        return;
    assert_true(calls.place_count < PLACES_MAX / 2);
    calls.places[slot] = hash;
    calls.firsts[calls.place_count++] = calls.calls;
}

static bool is_granted(void)
{
    if (calls.is_paused)
        return true;
    calls.calls++;
    if (calls.is_noting)
        note_place();
    if (!calls.fail_at || calls.calls < calls.fail_at)
        return true;
    return calls.fail_once && calls.calls > calls.fail_at;
}

void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return is_granted() ? __real_malloc(size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return is_granted() ? __real_calloc(count, size) : NULL;
}

void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
    return is_granted() ? __real_realloc(block, size) : NULL;
}

char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    return is_granted() ? __real_strdup(text) : NULL;
}

char *__wrap_strndup(const char *text, size_t length);
char *__wrap_strndup(const char *text, size_t length)
{
    return is_granted() ? __real_strndup(text, length) : NULL;
}

int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = is_granted() ? vasprintf(text, format, arguments) : -1;
    va_end(arguments);
    return length;
}

/* The attempt: does it all, checks what it made, and frees it. False with the error set if it failed. */
typedef bool attempt(void *data, struct error *error);

static bool attempt_with_failure(attempt *attempt, void *data, size_t number, bool once, struct error *error)
{
    calls.calls = 0;
    calls.is_paused = false;
    calls.fail_at = number;
    calls.fail_once = once;
    bool done = attempt(data, error);
    calls.fail_at = 0;
    return done;
}

/* Each failure is reported. */
static void expect_told(attempt *attempt, void *data, size_t number, bool once)
{
    struct error error = {0};
    if (!attempt_with_failure(attempt, data, number, once, &error) && !error.message[0])
        fail_msg("call %zu fails, %s, and nothing says so", number, once ? "once" : "and all after it");
}

/* Each place fails in turn, and in the end all works as before. How many there were. */
static inline size_t fail_at_each_place(attempt *attempt, void *data)
{
    struct error error = {0};
    memset(calls.places, 0, sizeof(calls.places));
    calls.place_count = 0;
    assert_true(
        attempt_with_failure(attempt, data, 0, false, &error)); /* OpenSSL keeps much of its first use */
    calls.is_noting = true;
    assert_true(attempt_with_failure(attempt, data, 0, false, &error));
    calls.is_noting = false;
    for (size_t i = 0; i < calls.place_count; i++)
        expect_told(attempt, data, calls.firsts[i], i % 2 == 0);
    if (!attempt_with_failure(attempt, data, 0, false, &error))
        fail_msg("after all that failed: %s", error.message);
    return calls.place_count;
}

#endif
