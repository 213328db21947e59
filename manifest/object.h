/* object.h: the conditions under which kubectl accepts a value as an object. */
#ifndef APPLYGUARD_MANIFEST_OBJECT_H
#define APPLYGUARD_MANIFEST_OBJECT_H

#include "base/arena.h"
#include "base/error.h"
#include "manifest/node.h"

#include <stdbool.h>

/*
 * apiVersion and kind exist and are strings (UnstructuredJSONScheme; without apiVersion the kind is not
 * found). Returns false and sets the error otherwise.
 */
bool object_check_type(const struct manifest_node *object, struct error *error);

/*
 * The metadata decodes into an ObjectMeta (cli-runtime: metadataValidatingDecoder). kubectl checks this for
 * documents, but not for the items of a List.
 */
bool object_check_metadata(const struct manifest_node *object, struct arena *arena, struct error *error);

/*
 * The kind of an item: if an item of a typed List has neither kind nor apiVersion, UnstructuredJSONScheme
 * derives them from the List's own. Empty if it has none.
 */
struct slice object_kind_of_item(const struct manifest_node *list, const struct manifest_node *item);

#endif
