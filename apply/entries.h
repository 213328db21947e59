/*
 * entries.h: entries of managedFields, and objects that have them.
 */
#ifndef APPLYGUARD_APPLY_ENTRIES_H
#define APPLYGUARD_APPLY_ENTRIES_H

#include "apply/merge/field_set.h"
#include "apply/merge/value.h"
#include "base/json_build.h"
#include "base/text.h"
#include "manifest/node.h"
#include "policy/managers.h"

#include <stdbool.h>
#include <stddef.h>

/* An entry of managedFields. */
struct owner_entry {
    struct manager manager;
    struct slice api_version;
    struct slice time; /* empty: unknown */
    const struct field_set *fields;
};

/*
 * Whether the entry belongs to a manager that writes an object in this apiVersion: a manager has an Update
 * entry for each apiVersion, but one Apply entry for all (managedfields/manager.go).
 */
bool owners_is_written_by(
    const struct owner_entry *entry, const struct manager *manager, struct slice api_version);

/* The time of an entry. */
struct slice owners_time(int64_t seconds, struct arena *arena);

void owners_append_entry(struct text *text, const struct owner_entry *entry);

/* The object, with these entries instead of its own. Returns NULL if memory runs out. */
yyjson_val *owners_build_value(
    const struct value *object, const struct owner_entry *entries, size_t count, struct arena *arena);

/* Does the same for a manifest. */
yyjson_val *owners_build_object(
    const struct manifest_node *object, const struct owner_entry *entries, size_t count, struct arena *arena);

/* The object without managedFields. Returns NULL if memory runs out. */
yyjson_val *owners_build_without(const struct manifest_node *object, struct arena *arena);

#endif
