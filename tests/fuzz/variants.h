/*
 * variants.h: the same review, written otherwise.
 */
#ifndef APPLYGUARD_TESTS_FUZZ_VARIANTS_H
#define APPLYGUARD_TESTS_FUZZ_VARIANTS_H

#include "tests/fuzz/answer.h"

/*
 * Asks about the review written otherwise: its objects' members in another order, or with white space and
 * with unknown fields. Which of them, and which order, hangs on the body alone. The verdict is the one that
 * is given.
 */
void check_variant(const struct question *question, const struct verdict *verdict, struct arena *arena);

#endif
