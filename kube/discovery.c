#include "kube/discovery.h"

#include "base/count.h"
#include "base/json.h"
#include "base/text.h"

#include <string.h>

struct kind_search kind_search_for(struct slice name, struct arena *arena)
{
    size_t dot = slice_find(name, '.');
    return (struct kind_search){
        .arena = arena, .name = slice_until(name, dot), .scope = slice_from(name, dot + 1)};
}

/* apps, v1.apps; of the core group v1, or v1 with a dot. */
bool kind_search_wants(const struct kind_search *search, struct slice group, struct slice version)
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

/* What a kind is known by. */
struct names {
    yyjson_val *plural;
    yyjson_val *singular;
    yyjson_val *kind;
    yyjson_val *shorts;
};

static enum kind_match match(const struct kind_search *search, const struct names *names)
{
    yyjson_val *const whole[] = {names->plural, names->singular, names->kind};
    if (!search->name.length) /* the singular may be empty */
        return KIND_MATCH_NONE;
    for (size_t i = 0; i < COUNT(whole); i++)
        if (slice_equal_in_any_case(json_text(whole[i]), search->name))
            return KIND_MATCH_NAME;
    yyjson_arr_iter items;
    yyjson_arr_iter_init(names->shorts, &items);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));)
        if (slice_equal_in_any_case(json_text(item), search->name))
            return KIND_MATCH_SHORT_NAME;
    return KIND_MATCH_NONE;
}

/* The first of several that match as well is taken. Those with a slash are subresources. */
static void consider(struct kind_search *search, const struct names *names, struct kube_kind kind)
{
    kind.plural = json_text(names->plural);
    kind.kind = json_text(names->kind);
    if (!kind.version.length || !kind.plural.length || !kind.kind.length ||
        slice_contains(kind.plural, '/') || !kind_search_wants(search, kind.group, kind.version))
        return;
    enum kind_match how = match(search, names);
    if (how <= search->match)
        return;
    search->match = how;
    search->found = (struct kube_kind){
        .group = arena_copy(search->arena, kind.group),
        .version = arena_copy(search->arena, kind.version),
        .plural = arena_copy(search->arena, kind.plural),
        .kind = arena_copy(search->arena, kind.kind),
        .is_namespaced = kind.is_namespaced,
    };
}

static void search_group_version(struct kind_search *search, struct slice group, yyjson_val *version)
{
    struct slice name = json_text(json_member(version, SLICE("version")));
    bool is_stale = slice_equal(json_text(json_member(version, SLICE("freshness"))), SLICE("Stale"));
    search->is_short |= is_stale && kind_search_wants(search, group, name);
    yyjson_arr_iter resources;
    yyjson_arr_iter_init(json_member(version, SLICE("resources")), &resources);
    for (yyjson_val *resource; (resource = yyjson_arr_iter_next(&resources));) {
        const struct names names = {
            .plural = json_member(resource, SLICE("resource")),
            .singular = json_member(resource, SLICE("singularResource")),
            .kind = json_member(json_member(resource, SLICE("responseKind")), SLICE("kind")),
            .shorts = json_member(resource, SLICE("shortNames")),
        };
        const struct kube_kind kind = {
            .group = group,
            .version = name,
            .is_namespaced =
                slice_equal(json_text(json_member(resource, SLICE("scope"))), SLICE("Namespaced")),
        };
        consider(search, &names, kind);
    }
}

bool kind_search_groups(struct kind_search *search, yyjson_val *answer)
{
    yyjson_arr_iter groups, versions;
    if (!yyjson_arr_iter_init(json_member(answer, SLICE("items")), &groups))
        return false;
    for (yyjson_val *group; (group = yyjson_arr_iter_next(&groups));) {
        yyjson_arr_iter_init(json_member(group, SLICE("versions")), &versions);
        for (yyjson_val *version; (version = yyjson_arr_iter_next(&versions));)
            search_group_version(search, json_text(json_metadata(group, SLICE("name"))), version);
    }
    return true;
}

void kind_search_version(
    struct kind_search *search, struct slice group, struct slice version, yyjson_val *answer)
{
    yyjson_arr_iter resources;
    yyjson_arr_iter_init(json_member(answer, SLICE("resources")), &resources);
    for (yyjson_val *resource; (resource = yyjson_arr_iter_next(&resources));) {
        const struct names names = {
            .plural = json_member(resource, SLICE("name")),
            .singular = json_member(resource, SLICE("singularName")),
            .kind = json_member(resource, SLICE("kind")),
            .shorts = json_member(resource, SLICE("shortNames")),
        };
        const struct kube_kind kind = {
            .group = group,
            .version = version,
            .is_namespaced = yyjson_get_bool(json_member(resource, SLICE("namespaced"))),
        };
        consider(search, &names, kind);
    }
}

/*
 * Paths
 */

/* As one part of a path, whatever is in it. */
static void append_part(struct text *text, struct slice part)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:";
    static const char digits[] = "0123456789ABCDEF";
    text_append_string(text, "/");
    for (size_t i = 0; i < part.length; i++) {
        unsigned char byte = (unsigned char)part.bytes[i];
        const char escape[] = {'%', digits[byte >> 4], digits[byte & 15]};
        bool is_plain = byte && strchr(plain, byte);
        text_append(
            text, is_plain ? slice_until(slice_from(part, i), 1) : (struct slice){escape, sizeof(escape)});
    }
}

static struct text start_path(struct slice group, struct slice version, struct arena *arena)
{
    struct text text = text_start(arena, 128);
    text_append_string(&text, group.length ? "/apis" : "/api");
    if (group.length)
        append_part(&text, group);
    append_part(&text, version);
    return text;
}

static struct slice end_path(struct text *text)
{
    text_append(text, (struct slice){"", 1});
    return text_slice(text);
}

struct slice kube_version_path(struct slice group, struct slice version, struct arena *arena)
{
    struct text text = start_path(group, version, arena);
    return end_path(&text);
}

struct slice kube_object_path(
    const struct kube_kind *kind, const char *namespace, struct slice name, struct arena *arena)
{
    struct text text = start_path(kind->group, kind->version, arena);
    if (kind->is_namespaced) {
        text_append_string(&text, "/namespaces");
        append_part(&text, slice_of(namespace));
    }
    append_part(&text, kind->plural);
    append_part(&text, name);
    return end_path(&text);
}
