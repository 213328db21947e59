/*
 * object.h: what kubectl asks of a value before it takes it for an object.
 */
#ifndef APPLYGUARD_MANIFEST_OBJECT_H
#define APPLYGUARD_MANIFEST_OBJECT_H

#include "base/arena.h"
#include "base/error.h"
#include "manifest/node.h"

#include <stdbool.h>

/*
 * apiVersion and kind are there, and texts (UnstructuredJSONScheme; without apiVersion no kind is found).
 * False, with an error, if not.
 */
bool object_check_type(const struct manifest_node *object, struct error *error);

/*
 * The metadata decodes into an ObjectMeta (cli-runtime: metadataValidatingDecoder). kubectl asks it of
 * documents, not of the items of a List.
 */
bool object_check_metadata(const struct manifest_node *object, struct arena *arena, struct error *error);

/*
 * The kind of an item: UnstructuredJSONScheme gives items of a typed List the kind and apiVersion that its
 * own tell, where they have neither. Empty if there is none.
 */
struct slice object_kind_of_item(const struct manifest_node *list, const struct manifest_node *item);

#endif
