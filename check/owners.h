/*
 * owners.h: writes objects with the managedFields of those who own their fields.
 */
#ifndef APPLYGUARD_CHECK_OWNERS_H
#define APPLYGUARD_CHECK_OWNERS_H

#include "base/text.h"
#include "manifest/node.h"
#include "merge/field_set.h"

#include <stdbool.h>
#include <stddef.h>

/* An entry of managedFields. */
struct owner_entry {
    struct slice manager;
    bool is_apply; /* or Update */
    struct slice api_version;
    struct slice time; /* empty: there is none */
    const struct field_set *fields;
    struct slice subresource; /* empty: the object itself */
};

void owners_append_entry(struct text *text, const struct owner_entry *entry);

/* The object as JSON, with these entries in place of any that it has. */
void owners_append_object(
    struct text *text, const struct manifest_node *object, const struct owner_entry *entries, size_t count);

#endif
