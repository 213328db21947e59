/*
 * measure.h: what the programs share that measure policy/ without a server.
 */
#ifndef APPLYGUARD_TESTS_BENCH_MEASURE_H
#define APPLYGUARD_TESTS_BENCH_MEASURE_H

#include "base/slice.h"
#include "policy/config/config.h"

#include <stdarg.h>

/* Prints the sentence and ends the program with status 2. */
_Noreturn void give_up(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The caller frees the bytes. */
struct slice read_file(const char *path);

/* The part after the last slash. */
const char *file_name(const char *path);

/* The caller frees the policy. */
struct policy *load_policy(struct slice text);

/* Time that this process has used: what others on the machine do does not count. */
double cpu_nanoseconds(void);

#endif
