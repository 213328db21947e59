/*
 * mutate_pem.h: changes PEM text within its blocks, where changing its characters would mostly make it no
 * PEM.
 */
#ifndef APPLYGUARD_TESTS_FUZZ_MUTATE_PEM_H
#define APPLYGUARD_TESTS_FUZZ_MUTATE_PEM_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own name and type. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/*
 * Changes the decoded bytes of one block, or repeats, drops or moves a block; now and then, or without a
 * block, changes any bytes. Returns the new size.
 */
size_t mutate_pem(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#endif
