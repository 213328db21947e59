/*
 * share.h: the lists that have objects of a shard. Private to commands/scan/.
 *
 * An object is in a shard by its namespace and kind. A shard therefore does not list a kind
 * without namespaces that is in another shard, and lists a large kind only in its own namespaces.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_SHARE_H
#define APPLYGUARD_COMMANDS_SCAN_SHARE_H

#include "commands/scan/requests.h"
#include "commands/scan/scan.h"

struct scan_share {
    const struct scan *scan;
    struct slice namespace;   /* the only one that is scanned; empty: all */
    struct slice *namespaces; /* of the cluster */
    size_t count, capacity;
    bool knows_namespaces; /* false: they may not be listed, or there is one shard only */
};

/* Adds the namespaces of a list. Returns false if memory runs out. */
bool scan_share_add_namespaces(struct scan_share *share, yyjson_val *list, struct arena *arena);

/* Whether objects of the kind may be in the shard. */
bool scan_share_has_kind(const struct scan_share *share, const struct discovered_kind *kind);

/* Whether objects of the kind in the namespace are in the shard. */
bool scan_share_has(
    const struct scan_share *share, const struct discovered_kind *kind, struct slice namespace);

/*
 * Whether it takes fewer requests to list the kind in the namespaces of the shard than to list the rest of it
 * everywhere. `list` is the first page.
 */
bool scan_share_is_by_namespace(
    const struct scan_share *share, const struct discovered_kind *kind, yyjson_val *list);

#endif
