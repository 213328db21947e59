/*
 * fuzz.h: what a fuzz target is, and how it says that a promise is broken.
 */
#ifndef APPLYGUARD_TESTS_FUZZ_H
#define APPLYGUARD_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* libFuzzer's own name and type. Always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program as a crash would, so that libFuzzer keeps the input. */
static inline void promise(int kept, const char *what)
{
    if (kept)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

#endif
