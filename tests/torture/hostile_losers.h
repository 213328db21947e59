/*
 * hostile_previous_owners.h: tricks with very many entries that each own next to nothing, and with keys that
 * take long to read.
 */
#ifndef APPLYGUARD_TESTS_TORTURE_HOSTILE_PREVIOUS_OWNERS_H
#define APPLYGUARD_TESTS_TORTURE_HOSTILE_PREVIOUS_OWNERS_H

#include "tests/torture/hostile.h"

void elements_moved_to_one_entry(struct hostile_review *review, size_t size);
void names_moved_to_one_entry(struct hostile_review *review, size_t size);
void items_moved_to_one_entry(struct hostile_review *review, size_t size);
void entries_of_tools_taken(struct hostile_review *review, size_t size);
void plain_keys_orphaned(struct hostile_review *review, size_t size);
void plain_keys_of_many(struct hostile_review *review, size_t size);
void fractions_taken(struct hostile_review *review, size_t size);
void escaped_keys_taken(struct hostile_review *review, size_t size);
void wide_keys_taken(struct hostile_review *review, size_t size);
void fields_of_a_wide_item(struct hostile_review *review, size_t size);
void entries_that_are_none(struct hostile_review *review, size_t size);

#endif
