#include "kube/objects.h"

#include "base/count.h"
#include "base/json.h"
#include "base/text.h"
#include "kube/printable.h"

#include <stdlib.h>
#include <strings.h>

/* Of all tries of one question. */
#define ASK_MS 15000

/* The newest form first; an API server that knows none of the others answers in the last. */
#define DISCOVERY_TYPES                                                                                      \
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"                                  \
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"

/* How well a kind answers to a name. */
enum match { MATCH_NONE, MATCH_SHORT_NAME, MATCH_NAME };

/* What is searched for, and the best that is found so far. */
struct search {
    struct kube_client *client;
    struct arena *arena;
    struct error *error;
    struct slice name;  /* deploy */
    struct slice scope; /* apps, v1.apps; empty: any */
    struct kube_kind *found;
    enum match match;
};

static bool equal_in_any_case(struct slice a, struct slice b)
{
    return a.length == b.length && a.length && strncasecmp(a.bytes, b.bytes, a.length) == 0;
}

static enum match match_names(
    const struct search *search, yyjson_val *plural, yyjson_val *singular, yyjson_val *kind,
    yyjson_val *shorts)
{
    yyjson_val *const names[] = {plural, singular, kind};
    for (size_t i = 0; i < COUNT(names); i++)
        if (equal_in_any_case(json_text(names[i]), search->name))
            return MATCH_NAME;
    yyjson_arr_iter items;
    yyjson_arr_iter_init(shorts, &items);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));)
        if (equal_in_any_case(json_text(item), search->name))
            return MATCH_SHORT_NAME;
    return MATCH_NONE;
}

/* apps, v1.apps; of the core group v1, or v1 with a dot. */
static bool is_in_scope(const struct search *search, struct slice group, struct slice version)
{
    struct slice scope = search->scope;
    if (!scope.length || (group.length && slice_equal(scope, group)))
        return true;
    if (!slice_starts_with(scope, version))
        return false;
    struct slice rest = slice_from(scope, version.length);
    return group.length ? rest.length && rest.bytes[0] == '.' && slice_equal(slice_from(rest, 1), group)
                        : !rest.length || slice_equal(rest, SLICE("."));
}

static void consider(struct search *search, enum match match, const struct kube_kind *kind)
{
    if (match <= search->match || !is_in_scope(search, kind->group, kind->version))
        return;
    search->match = match;
    *search->found = *kind;
    search->found->group = arena_copy(search->arena, kind->group);
    search->found->version = arena_copy(search->arena, kind->version);
    search->found->plural = arena_copy(search->arena, kind->plural);
    search->found->kind = arena_copy(search->arena, kind->kind);
}

/*
 * Asking
 */

static void append_escaped(struct text *text, struct slice part)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:";
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < part.length; i++) {
        unsigned char byte = (unsigned char)part.bytes[i];
        const char escape[] = {'%', digits[byte >> 4], digits[byte & 15]};
        if (byte && strchr(plain, byte))
            text_append(text, (struct slice){&part.bytes[i], 1});
        else
            text_append(text, (struct slice){escape, sizeof(escape)});
    }
}

/* The answer as JSON in the arena. NULL with the error set. */
static yyjson_val *ask(struct search *search, const char *path)
{
    struct kube_response response = {0};
    const struct kube_request request = {
        .method = "GET", .path = path, .accept = DISCOVERY_TYPES, .timeout_ms = ASK_MS};
    if (kube_call(search->client, &request, &response, search->error) != 0)
        return NULL;
    yyjson_doc *document = NULL;
    if (response.status != 200)
        kube_refused(&response, search->error);
    else if (!(document = json_read(secret_slice(&response.body), 0, search->arena, NULL)))
        error_set(search->error, "the API server's list of kinds (%s) is no JSON", path);
    kube_response_release(&response);
    return document ? yyjson_doc_get_root(document) : NULL;
}

/*
 * The aggregated form: all kinds of all groups at once
 */

static void consider_aggregated(
    struct search *search, struct slice group, struct slice version, yyjson_val *resource)
{
    yyjson_val *plural = json_member(resource, SLICE("resource"));
    yyjson_val *type = json_member(json_member(resource, SLICE("responseKind")), SLICE("kind"));
    const struct kube_kind kind = {
        .group = group,
        .version = version,
        .plural = json_text(plural),
        .kind = json_text(type),
        .is_namespaced = slice_equal(json_text(json_member(resource, SLICE("scope"))), SLICE("Namespaced")),
    };
    consider(
        search,
        match_names(
            search, plural, json_member(resource, SLICE("singularResource")), type,
            json_member(resource, SLICE("shortNames"))),
        &kind);
}

static void search_aggregated_group(struct search *search, yyjson_val *group)
{
    struct slice name = json_text(json_metadata(group, SLICE("name")));
    yyjson_arr_iter versions, resources;
    yyjson_arr_iter_init(json_member(group, SLICE("versions")), &versions);
    for (yyjson_val *version; (version = yyjson_arr_iter_next(&versions));) {
        yyjson_arr_iter_init(json_member(version, SLICE("resources")), &resources);
        for (yyjson_val *resource; (resource = yyjson_arr_iter_next(&resources));)
            consider_aggregated(search, name, json_text(json_member(version, SLICE("version"))), resource);
    }
}

/*
 * The old form: a list of groups, and a list of kinds for each of their versions
 */

static int search_version(struct search *search, struct slice group, struct slice version)
{
    struct text path = text_start(search->arena, 64);
    text_append_string(&path, group.length ? "/apis/" : "/api/");
    append_escaped(&path, group);
    text_append_string(&path, group.length ? "/" : "");
    append_escaped(&path, version);
    text_append(&path, (struct slice){"", 1});
    struct slice terminated = text_slice(&path);
    yyjson_val *list = terminated.bytes ? ask(search, terminated.bytes) : NULL;
    yyjson_arr_iter resources;
    yyjson_arr_iter_init(json_member(list, SLICE("resources")), &resources);
    for (yyjson_val *resource; (resource = yyjson_arr_iter_next(&resources));) {
        yyjson_val *plural = json_member(resource, SLICE("name")),
                   *type = json_member(resource, SLICE("kind"));
        const struct kube_kind kind = {
            .group = group,
            .version = version,
            .plural = json_text(plural),
            .kind = json_text(type),
            .is_namespaced = yyjson_get_bool(json_member(resource, SLICE("namespaced"))),
        };
        /* Those with a slash are subresources. */
        if (slice_find(kind.plural, '/') == kind.plural.length)
            consider(
                search,
                match_names(
                    search, plural, json_member(resource, SLICE("singularName")), type,
                    json_member(resource, SLICE("shortNames"))),
                &kind);
    }
    return list ? 0 : -1;
}

/* A group whose own server is down leaves the others as they are. */
static void search_group(struct search *search, yyjson_val *group)
{
    struct slice name = json_text(json_member(group, SLICE("name")));
    yyjson_arr_iter versions;
    yyjson_arr_iter_init(json_member(group, SLICE("versions")), &versions);
    for (yyjson_val *version; (version = yyjson_arr_iter_next(&versions)) && search->match < MATCH_NAME;) {
        struct slice text = json_text(json_member(version, SLICE("version")));
        if (is_in_scope(search, name, text))
            search_version(search, name, text);
    }
}

/* Of the core group the old form has versions only. */
static int search_core_versions(struct search *search, yyjson_val *versions)
{
    yyjson_arr_iter items;
    yyjson_arr_iter_init(versions, &items);
    for (yyjson_val *version; (version = yyjson_arr_iter_next(&items));)
        if (is_in_scope(search, (struct slice){"", 0}, json_text(version)) &&
            search_version(search, (struct slice){"", 0}, json_text(version)) != 0)
            return -1;
    return 0;
}

static int search_all(struct search *search, const char *path)
{
    yyjson_val *root = ask(search, path);
    yyjson_arr_iter groups;
    if (!root)
        return -1;
    if (json_member(root, SLICE("items"))) {
        yyjson_arr_iter_init(json_member(root, SLICE("items")), &groups);
        for (yyjson_val *group; (group = yyjson_arr_iter_next(&groups));)
            search_aggregated_group(search, group);
        return 0;
    }
    yyjson_arr_iter_init(json_member(root, SLICE("groups")), &groups);
    for (yyjson_val *group; (group = yyjson_arr_iter_next(&groups)) && search->match < MATCH_NAME;)
        search_group(search, group);
    return search_core_versions(search, json_member(root, SLICE("versions")));
}

int kube_find_kind(
    struct kube_client *client, struct slice name, struct arena *arena, struct kube_kind *kind,
    struct error *error)
{
    size_t dot = slice_find(name, '.');
    struct search search = {
        .client = client,
        .arena = arena,
        .error = error,
        .name = slice_until(name, dot),
        .scope = slice_from(name, dot + 1),
        .found = kind,
    };
    if (search_all(&search, "/api") != 0 || (search.match < MATCH_NAME && search_all(&search, "/apis") != 0))
        return -1;
    if (arena_has_failed(arena))
        return error_set(error, "out of memory");
    if (search.match != MATCH_NONE)
        return 0;
    struct kube_printable printable = kube_printable(name);
    return error_set(error, "the API server has no kind \"%s\"", printable.text);
}

/*
 * Objects
 */

static struct slice path_of(
    const struct kube_kind *kind, const char *namespace, struct slice name, struct arena *arena)
{
    struct text text = text_start(arena, 128);
    text_append_string(&text, kind->group.length ? "/apis/" : "/api/");
    append_escaped(&text, kind->group);
    text_append_string(&text, kind->group.length ? "/" : "");
    append_escaped(&text, kind->version);
    if (kind->is_namespaced) {
        text_append_string(&text, "/namespaces/");
        append_escaped(&text, slice_of(namespace));
    }
    text_append_string(&text, "/");
    append_escaped(&text, kind->plural);
    text_append_string(&text, "/");
    append_escaped(&text, name);
    text_append(&text, (struct slice){"", 1});
    return text_slice(&text);
}

/* Would be another path. */
static bool is_no_name(struct slice name)
{
    return !name.length || slice_equal(name, SLICE(".")) || slice_equal(name, SLICE(".."));
}

int kube_read_object(
    struct kube_client *client, const struct kube_kind *kind, const char *namespace, struct slice name,
    struct kube_response *response, struct error *error)
{
    struct arena *arena = arena_create();
    struct slice path = arena ? path_of(kind, namespace, name, arena) : (struct slice){NULL, 0};
    int result = -1;
    *response = (struct kube_response){0};
    if (!path.bytes)
        error_set(error, "out of memory");
    else if (is_no_name(name) || is_no_name(slice_of(namespace)))
        error_set(error, "this is no name of an object");
    else
        result = kube_call(
            client, &(struct kube_request){.method = "GET", .path = path.bytes, .timeout_ms = ASK_MS},
            response, error);
    arena_destroy(arena);
    if (result != 0 || response->status == 200)
        return result;
    kube_refused(response, error);
    kube_response_release(response);
    return -1;
}
