/*
 * files.h: files that a test writes.
 */
#ifndef APPLYGUARD_TESTS_FILES_H
#define APPLYGUARD_TESTS_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/time.h>

#include <cmocka.h>

static inline void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Makes a file look as if it had been written long ago, so that only what the test does is news. */
static inline void age(const char *path)
{
    const struct timeval times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    assert_int_equal(utimes(path, times), 0);
}

#endif
