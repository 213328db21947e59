/*
 * hostile_taken.h: reviews that are made to take long, or very much memory, by what changes hands.
 */
#ifndef APPLYGUARD_TESTS_TORTURE_HOSTILE_TAKEN_H
#define APPLYGUARD_TESTS_TORTURE_HOSTILE_TAKEN_H

#include "tests/torture/hostile.h"

void long_paths_taken(struct hostile_review *review, size_t size);
void declared_taken(struct hostile_review *review, size_t size);
void declared_items_taken(struct hostile_review *review, size_t size);
void updated_then_applied(struct hostile_review *review, size_t size);

#endif
