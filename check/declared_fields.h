/*
 * declared_fields.h: the FieldsV1 of what a manifest declares, as the API server would record it.
 *
 * How the items of lists are identified is known of Kubernetes' own types (list_types.h); in custom resources
 * lists are atomic, as they are without a schema that says otherwise.
 */
#ifndef APPLYGUARD_CHECK_DECLARED_FIELDS_H
#define APPLYGUARD_CHECK_DECLARED_FIELDS_H

#include "base/text.h"
#include "manifest/node.h"
#include "policy/fieldset/path.h"

/* Appends the set, without the fields that have no owner (apimachinery, managedfields: stripSet). */
void declared_fields_append(struct text *text, struct slice group, const struct manifest_node *object);

/*
 * Appends the value of a key field of a list item, or its default: the protocol of a port is the only one
 * that has one. False if it is absent.
 */
bool declared_fields_append_key(struct text *text, const struct manifest_node *item, struct slice name);

/* The key of an item of a keyed list: k:{"containerPort":80,"protocol":"TCP"}. */
struct slice declared_fields_item_key(
    const struct manifest_node *item, const struct slice_list *names, struct arena *arena);

/* Whether a member of the root or of metadata has no owner. `parent` is NULL for the root. */
bool declared_fields_is_unowned(const struct path *parent, struct slice name);

/* Whether a map at the path has one owner as a whole. */
bool declared_fields_is_atomic(struct slice group, const struct path *path);

#endif
