/*
 * Whatever an API server says it serves: a kind that is found has the name that was asked for, and its
 * objects a path of plain characters, with as many parts as it should have.
 */
#include "base/json.h"
#include "fuzz.h"
#include "kube/discovery.h"

#include <string.h>

static const char *const names[] = {"deploy",  "Deployment", "deployments.apps", "deployments.v1.apps",
                                    "pods.v1", "po"};

static void check_path(const struct kube_kind *kind, struct arena *arena)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:%/";
    struct slice path = kube_object_path(kind, "n", SLICE("a/b?c"), arena);
    size_t parts = 0, expected = 4U + (kind->group.length ? 1 : 0) + (kind->is_namespaced ? 2 : 0);
    promise(path.bytes && strlen(path.bytes) + 1 == path.length, "a path ends where its text does");
    promise(strspn(path.bytes, plain) + 1 == path.length, "a path has plain characters only");
    for (const char *at = path.bytes; *at; at++)
        parts += *at == '/';
    promise(parts == expected, "what is served adds no parts to a path");
    promise(strstr(path.bytes, "//") == NULL, "no part is empty");
}

static void check(const struct kind_search *search, struct arena *arena)
{
    if (search->match == KIND_MATCH_NONE)
        return;
    const struct kube_kind *kind = &search->found;
    promise(kind->version.length && kind->plural.length && kind->kind.length, "a kind has its names");
    promise(
        kind_search_wants(search, kind->group, kind->version), "a kind is of the group that was asked for");
    check_path(kind, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    yyjson_doc *document = json_read((struct slice){(const char *)data, size}, 0, arena, NULL);
    for (size_t i = 0; document && i < sizeof(names) / sizeof(names[0]); i++) {
        struct kind_search search = kind_search_for(slice_of(names[i]), arena);
        struct kind_search older = kind_search_for(slice_of(names[i]), arena);
        kind_search_groups(&search, yyjson_doc_get_root(document));
        check(&search, arena);
        kind_search_version(&older, SLICE("apps"), SLICE("v1"), yyjson_doc_get_root(document));
        check(&older, arena);
    }
    arena_destroy(arena);
    return 0;
}
