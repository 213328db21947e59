/*
 * corpus.h: the inputs that are kept for a fuzz target. Those that fuzzing found are in the archive
 * CORPUS.tar.gz; those with a name, most of them regressions, are files in the folder CORPUS.
 */
#ifndef APPLYGUARD_TESTS_FUZZ_CORPUS_H
#define APPLYGUARD_TESTS_FUZZ_CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The bytes are valid during the call, in a block of their exact size. */
typedef void corpus_visit(void *data, const char *name, const uint8_t *bytes, size_t size);

/*
 * Calls `visit` for each input of `corpus`, the path without an ending: first the archive, then the folder,
 * in the order of the names. The archive or the folder may be missing, but not both.
 *
 * False if an input cannot be read: a line on stderr says which.
 */
bool corpus_for_each(const char *corpus, corpus_visit *visit, void *data);

#endif
