#include "kubectl/discovery.h"

#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"

#include <stdlib.h>

/* The limit of versions and of kinds, far more than any cluster has. */
#define ITEMS_MAX 10000

static int keep_version(struct discovery *discovery, struct slice version, struct error *error)
{
    struct slice *versions = arena_grow(
        discovery->arena, discovery->versions, discovery->version_count, &discovery->version_capacity,
        sizeof(*versions));
    if (!versions)
        return error_set_out_of_memory(error);
    discovery->versions = versions;
    if (discovery->version_count < ITEMS_MAX)
        versions[discovery->version_count++] = version;
    return 0;
}

/* GETs a path and parses the answer. NULL, and the error is set. */
static yyjson_val *get(
    struct discovery *discovery, struct cluster *cluster, const char *path, struct error *error)
{
    struct file_content content = {0};
    enum cluster_found found = cluster_get_raw(cluster, path, &content, error);
    if (found == CLUSTER_NO_OBJECT)
        error_set(error, "the cluster does not have it");
    if (found != CLUSTER_FOUND)
        return NULL;
    yyjson_doc *document = json_read(file_slice(&content), 0, discovery->arena, NULL);
    free(content.bytes);
    if (!document)
        error_set(error, "the cluster's list of kinds cannot be read");
    return document ? yyjson_doc_get_root(document) : NULL;
}

static bool has_verb(yyjson_val *resource, struct slice verb)
{
    json_each_item(each, json_member(resource, SLICE("verbs")))
        if (slice_equal(json_text(each), verb))
            return true;
    return false;
}

/* Whether the group has the kind already, in a version that comes first. */
static bool is_there(const struct discovery *discovery, struct slice group, struct slice plural)
{
    for (size_t i = 0; i < discovery->count; i++)
        if (slice_equal(discovery->kinds[i].group, group) && slice_equal(discovery->kinds[i].plural, plural))
            return true;
    return false;
}

static int add_kind(
    struct discovery *discovery, struct slice group, struct slice api_version, yyjson_val *resource,
    struct error *error)
{
    struct slice plural = json_text(json_member(resource, SLICE("name")));
    if (!plural.length || slice_contains(plural, '/') || !has_verb(resource, SLICE("list")) ||
        discovery->count >= ITEMS_MAX || is_there(discovery, group, plural))
        return 0;
    struct discovered_kind *kinds = arena_grow(
        discovery->arena, discovery->kinds, discovery->count, &discovery->capacity, sizeof(*kinds));
    if (!kinds)
        return error_set_out_of_memory(error);
    discovery->kinds = kinds;
    kinds[discovery->count++] = (struct discovered_kind){
        .api_version = api_version,
        .group = group,
        .kind = json_text(json_member(resource, SLICE("kind"))),
        .plural = plural,
        .singular = json_text(json_member(resource, SLICE("singularName"))),
        .short_names = json_member(resource, SLICE("shortNames")),
        .is_namespaced = yyjson_get_bool(json_member(resource, SLICE("namespaced"))),
    };
    return 0;
}

static int read_version(
    struct discovery *discovery, struct cluster *cluster, struct slice group, struct slice api_version,
    struct error *error)
{
    const char *path = text_join_string(discovery->arena, group.length ? "/apis/" : "/api/", api_version);
    if (!path)
        return error_set_out_of_memory(error);
    if (keep_version(discovery, api_version, error) < 0)
        return -1;
    struct error problem = {0};
    yyjson_val *list = get(discovery, cluster, path, &problem);
    if (!list) {
        discovery->complain(discovery->context, path, &problem);
        return 0;
    }
    json_each_item(resource, json_member(list, SLICE("resources")))
        if (add_kind(discovery, group, api_version, resource, error) < 0)
            return -1;
    return 0;
}

/* The preferred version comes first, the others in the order of the server. */
static int read_group(
    struct discovery *discovery, struct cluster *cluster, yyjson_val *group, struct error *error)
{
    struct slice name = json_text(json_member(group, SLICE("name")));
    struct slice preferred =
        json_text(json_member(json_member(group, SLICE("preferredVersion")), SLICE("groupVersion")));
    if (!name.length)
        return 0;
    if (preferred.length && read_version(discovery, cluster, name, preferred, error) < 0)
        return -1;
    json_each_item(each, json_member(group, SLICE("versions"))) {
        struct slice version = json_text(json_member(each, SLICE("groupVersion")));
        if (version.length && !slice_equal(version, preferred) &&
            read_version(discovery, cluster, name, version, error) < 0)
            return -1;
    }
    return 0;
}

int discovery_read(struct discovery *discovery, struct cluster *cluster, struct error *error)
{
    yyjson_val *groups = get(discovery, cluster, "/apis", error);
    if (!groups || read_version(discovery, cluster, SLICE(""), SLICE("v1"), error) < 0)
        return -1;
    json_each_item(group, json_member(groups, SLICE("groups")))
        if (read_group(discovery, cluster, group, error) < 0)
            return -1;
    return arena_has_failed(discovery->arena) ? error_set_out_of_memory(error) : 0;
}

bool discovery_is_named(const struct discovered_kind *kind, struct slice name)
{
    size_t dot = slice_find(name, '.');
    struct slice plain = slice_until(name, dot), group = slice_from(name, dot + 1);
    if (dot < name.length && !slice_equal_in_any_case(group, kind->group))
        return false;
    if (slice_equal_in_any_case(plain, kind->plural) || slice_equal_in_any_case(plain, kind->kind) ||
        (kind->singular.length && slice_equal_in_any_case(plain, kind->singular)))
        return true;
    json_each_item(each, kind->short_names)
        if (slice_equal_in_any_case(plain, json_text(each)))
            return true;
    return false;
}
