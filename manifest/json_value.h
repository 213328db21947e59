/*
 * json_value.h: a node as the JSON value that manifest_append_json (write.h) would write, without creating
 * the text.
 */
#ifndef APPLYGUARD_MANIFEST_JSON_VALUE_H
#define APPLYGUARD_MANIFEST_JSON_VALUE_H

#include "base/json_build.h"
#include "manifest/node.h"

/* Adds the value of a node. */
void manifest_build(struct json_build *build, const struct manifest_node *node);

/* The value of a node. Returns NULL if memory runs out. */
yyjson_val *manifest_json_value(const struct manifest_node *node, struct arena *arena);

#endif
