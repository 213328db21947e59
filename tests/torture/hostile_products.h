/*
 * hostile_products.h: tricks that make one number of things meet another, where each of one could be compared
 * with each of the other.
 */
#ifndef APPLYGUARD_TESTS_TORTURE_HOSTILE_PRODUCTS_H
#define APPLYGUARD_TESTS_TORTURE_HOSTILE_PRODUCTS_H

#include "tests/torture/hostile.h"

void owners_who_lose_the_same(struct hostile_review *review, size_t size);
void findings_beside_annotations(struct hostile_review *review, size_t size);
void findings_beside_a_waiver(struct hostile_review *review, size_t size);
void tool_annotations_of_items(struct hostile_review *review, size_t size);
void declared_items_without_key_fields(struct hostile_review *review, size_t size);
void declared_repeated_in_disorder(struct hostile_review *review, size_t size);
void client_side_appliers_gone(struct hostile_review *review, size_t size);
void short_lists_asked_often(struct hostile_review *review, size_t size);

#endif
