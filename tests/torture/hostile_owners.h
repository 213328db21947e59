/*
 * hostile_owners.h: tricks with very many owners of very many fields, against the rules that ask who else
 * owns what the applier owns.
 */
#ifndef APPLYGUARD_TESTS_TORTURE_HOSTILE_OWNERS_H
#define APPLYGUARD_TESTS_TORTURE_HOSTILE_OWNERS_H

#include "tests/torture/hostile.h"

void shared_by_all(struct hostile_review *review, size_t size);
void shared_by_too_many(struct hostile_review *review, size_t size);
void shared_items_in_any_order(struct hostile_review *review, size_t size);
void large_applier_beside_small_ones(struct hostile_review *review, size_t size);
void shared_containers(struct hostile_review *review, size_t size);
void shared_with_a_client_side_applier(struct hostile_review *review, size_t size);
void orphans_of_many(struct hostile_review *review, size_t size);
void orphans_beside_a_large_annotation(struct hostile_review *review, size_t size);
void moved_to_the_last_of_many(struct hostile_review *review, size_t size);

#endif
