/*
 * ownership.h: which manager owns which fields before and after the request, and which one wrote it.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_OWNERSHIP_H
#define APPLYGUARD_POLICY_REVIEW_OWNERSHIP_H

#include "base/effort.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/managed_fields.h"

/*
 * Reads managedFields of the review's old object and object (either may be NULL) and pairs their entries. The
 * rest of the review must have been read before. In a write to the subresource status, entries have their
 * fields of metadata alone. Returns false if memory runs out.
 */
bool ownership_read(struct ownership *ownership, const struct review *review);

/*
 * Prepares the classes of the entries under a policy's class rules (NULL: none), and finds the writer.
 * `ownership` is the review's own. `subresource` is that of this request's entries. Returns false if
 * memory runs out.
 */
bool ownership_classify(
    struct ownership *ownership, const struct review *review, const struct class_rules *class_rules,
    struct slice subresource);

/* Sets the class of an entry, which is otherwise found out when it is first needed. */
void ownership_set_class(
    struct ownership *ownership, const struct managed_fields_entry *entry, enum manager_class class);

/* The class of a manager as the writer of the request. `after` is its entry after the request, or NULL. */
enum manager_class ownership_writer_class(
    const struct ownership *ownership, const struct manager *manager,
    const struct managed_fields_entry *after);

/* The class of an entry, of either object, as an owner. */
enum manager_class ownership_class(
    const struct ownership *ownership, const struct managed_fields_entry *entry);

/*
 * The class by which an entry loses a field: that of its manager, but ad-hoc if this made the object from a
 * template and never sets the field again. `is_status` is whether the field is below `.status`: a label
 * written through the subresource status does not make its writer a controller.
 */
enum manager_class ownership_class_of_previous_owner(
    const struct ownership *ownership, const struct managed_fields_entry *entry, bool is_status);

/*
 * Whether an entry of the object other than the writer's has the class. The first call computes it for all
 * classes.
 */
bool ownership_has_other(const struct ownership *ownership, enum manager_class class);

/*
 * Whether the entry may have been written at the same time as the other one or later. True if the entry has
 * no time.
 */
bool entry_may_be_newer(const struct managed_fields_entry *entry, const struct managed_fields_entry *than);

/* Whether the entry of the new object is new, or has another time or other fields than before. */
bool entry_changed(const struct managed_fields_entry *entry);

/* Whether the entry is of the object's apiVersion: in another one, a field may have another name. */
bool entry_is_comparable(const struct review *review, const struct managed_fields_entry *entry);

/*
 * Whether a path that both entries have is one field: they have the same apiVersion, or the object is an
 * autoscaler, whose versions call a field by one name, or lack it.
 */
bool entries_share_names(
    const struct review *review, const struct managed_fields_entry *entry,
    const struct managed_fields_entry *other);

/* Whether the entry owns an annotation of that key. */
bool entry_owns_annotation(const struct managed_fields_entry *entry, struct slice key);

/* Whether the entry owns .spec.replicas. */
bool entry_owns_replicas(const struct managed_fields_entry *entry);

/* Whether the entry owns the last-applied annotation. The first call computes it. */
bool entry_owns_last_applied(const struct managed_fields_entry *entry);

/*
 * The tool of the entry's manager. A manager without a name in the table is kubectl's client-side apply if it
 * owns the last-applied annotation (kubectl apply --field-manager=NAME). The first call computes it.
 */
enum tool entry_tool(const struct managed_fields_entry *entry);

/* Whether tools, or the API server, use the field for their own bookkeeping, so that overwriting it is not a
 * conflict. */
bool field_is_bookkeeping(const struct path *path);

/*
 * Whether the entry belongs to a client-side applier: one that owns the last-applied annotation, or that is
 * kubectl by name.
 */
bool entry_applies_client_side(const struct ownership *ownership, const struct managed_fields_entry *entry);

/* Whether a manager applies the object client-side. */
bool managed_fields_client_side_applied(const struct ownership *ownership, const struct managed_fields *side);

/* Whether a manager other than bookkeeping applies the object server-side. */
bool managed_fields_server_side_applied(const struct ownership *ownership, const struct managed_fields *side);

/*
 * Whether owning the path means only that a map or list exists, not its contents, because a manager owns
 * something below it. `value` is the value at the path; NULL if it does not exist, so that it may have been a
 * map.
 */
enum search_answer managed_fields_bare(
    const struct managed_fields *side, const struct path *path, yyjson_val *value, struct lookup *lookup);

/* The same for both objects of the review. */
enum search_answer ownership_bare(
    const struct ownership *ownership, const struct path *path, yyjson_val *value, struct lookup *lookup);

#endif
