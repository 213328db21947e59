/*
 * index_patch.h: the rule index-patch: a JSON patch that names an item of a list by its place changes another
 * item than its writer saw. Private to commands/replay/.
 *
 * Only the audit log has the patch, so this rule is replay's alone: a webhook sees what the patch makes of
 * the object.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_INDEX_PATCH_H
#define APPLYGUARD_COMMANDS_REPLAY_INDEX_PATCH_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/action.h"

#include <yyjson.h>

#define REPLAY_INDEX_PATCH "index-patch"

struct replay_index_patch {
    struct slice path;         /* of the item, as the patch has it: /spec/containers/0 */
    struct slice seen, before; /* the item that the writer saw there, and the one that was there */
};

/*
 * Finds the first such item. `seen` is the object as the writer saw it, `before` as the patch found it. A
 * patch that tests the item is refused if it is another, and one that expects a version if the object is.
 * False: no more.
 */
bool replay_index_patch_find(
    yyjson_val *patch, yyjson_val *seen, yyjson_val *before, struct replay_index_patch *found);

/* KIND NAMESPACE/NAME: what the patch does, and what to do about it. NULL bytes if memory runs out. */
struct slice replay_index_patch_message(
    const struct replay_index_patch *found, struct slice kind, struct slice namespace, struct slice name,
    struct arena *arena);

#endif
