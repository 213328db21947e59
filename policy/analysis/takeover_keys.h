/*
 * takeover_keys.h: the texts by which takeover_history.h remembers objects, fields and managers.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_TAKEOVER_KEYS_H
#define APPLYGUARD_POLICY_ANALYSIS_TAKEOVER_KEYS_H

#include "base/text.h"
#include "policy/managers.h"
#include "policy/review/review.h"

/* Appends one part of a key. A NUL byte ends it, so that no two lists of parts have the same key. */
void takeover_append_part(struct text *text, struct slice part);

void takeover_append_manager(struct text *text, const struct manager *manager);

/* The key of a manager alone. Its bytes are NULL if memory runs out. */
struct slice takeover_manager_key(const struct manager *manager, struct arena *arena);

/* Appends the object of the review: by its UID, which no later object of the same name has. */
void takeover_append_object(struct text *text, const struct review *review);

/*
 * The printed path by which a field is remembered: of a list item, its list. An item that is made with a new
 * key each time never changes hands twice, but its list does.
 */
struct slice takeover_field(struct slice printed);

#endif
