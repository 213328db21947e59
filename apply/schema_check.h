/*
 * schema_check.h: how a manifest contradicts the built-in schema of its kind.
 *
 * A field whose value something replaces before the apply, such as ${NAME}, may have any type.
 */
#ifndef APPLYGUARD_APPLY_SCHEMA_CHECK_H
#define APPLYGUARD_APPLY_SCHEMA_CHECK_H

#include "base/arena.h"
#include "manifest/manifest.h"
#include "policy/analysis/document.h"

/*
 * The problems of an object of one of Kubernetes' groups; none for other objects. `is_server_side` also finds
 * items with equal keys. The result lives in the arena; if memory runs out, arena_has_failed() reports that.
 */
struct document_problems schema_check(
    const struct manifest_object *object, bool is_server_side, struct arena *arena);

#endif
