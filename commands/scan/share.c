#include "commands/scan/share.h"

#include "base/json.h"
#include "base/json_each.h"

bool scan_share_add_namespaces(struct scan_share *share, yyjson_val *list, struct arena *arena)
{
    json_each_item(item, json_member(list, SLICE("items"))) {
        struct slice *namespaces =
            arena_grow(arena, share->namespaces, share->count, &share->capacity, sizeof(*namespaces));
        struct slice name = arena_copy(arena, json_text(json_metadata(item, SLICE("name"))));
        if (!namespaces || !name.bytes)
            return false;
        share->namespaces = namespaces;
        namespaces[share->count++] = name;
    }
    return true;
}

bool scan_share_has(
    const struct scan_share *share, const struct discovered_kind *kind, struct slice namespace)
{
    return scan_is_of_shard(share->scan, namespace, kind->kind);
}

static size_t count_own(const struct scan_share *share, const struct discovered_kind *kind)
{
    size_t count = 0;
    for (size_t i = 0; i < share->count; i++)
        count += scan_share_has(share, kind, share->namespaces[i]);
    return count;
}

bool scan_share_has_kind(const struct scan_share *share, const struct discovered_kind *kind)
{
    if (share->namespace.length || !kind->is_namespaced)
        return scan_share_has(share, kind, share->namespace);
    return !share->knows_namespaces || count_own(share, kind) > 0;
}

bool scan_share_is_by_namespace(
    const struct scan_share *share, const struct discovered_kind *kind, yyjson_val *list)
{
    uint64_t remaining = yyjson_get_uint(json_metadata(list, SLICE("remainingItemCount")));
    if (!share->knows_namespaces || share->namespace.length || !kind->is_namespaced || !share->count)
        return false;
    size_t own = count_own(share, kind);
    uint64_t pages = remaining / SCAN_PAGE + (remaining % SCAN_PAGE > 0);
    /* Namespaces have as many objects each as far as is known. */
    uint64_t own_pages = pages * own / share->count;
    return own + own_pages < pages;
}
