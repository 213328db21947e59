/*
 * words.h: which known word a mistyped one was meant to be.
 */
#ifndef APPLYGUARD_BASE_WORDS_H
#define APPLYGUARD_BASE_WORDS_H

#include "base/slice.h"

/* Whether the text is one of the known words, and its index among them. */
bool word_find(struct slice text, const char *const *known, size_t count, size_t *index);

/* The Levenshtein distance, ignoring case. UINT_MAX for words longer than anybody mistypes. */
unsigned word_distance(struct slice a, struct slice b);

/* The known word that was probably meant, of which up to a third may differ. NULL if none is near. */
const char *word_nearest(struct slice text, const char *const *known, size_t count);

#endif
