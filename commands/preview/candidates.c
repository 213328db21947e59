#include "commands/preview/candidates.h"

#include "base/split.h"
#include "base/text.h"
#include "manifest/kinds.h"
#include "policy/analysis/apply_sets.h"

#include <stdlib.h>

#define GROUP_KINDS_ANNOTATION SLICE("applyset.kubernetes.io/contains-group-kinds")
#define NAMESPACES_ANNOTATION SLICE("applyset.kubernetes.io/additional-namespaces")

/*
 * Adds the object or List that the cluster answered with. An object that is gone is not deleted, and a kind
 * that the cluster lacks has no objects.
 */
static int add_answer(
    struct preview_run *run, enum cluster_found found, struct file_content *content, struct error *error)
{
    if (found == CLUSTER_NO_OBJECT || found == CLUSTER_NO_KIND)
        return 0;
    if (found != CLUSTER_FOUND)
        return -1;
    const struct slice text = file_slice(content);
    int status = file_objects_add_text(run->sources.candidates, text, false, run->sources.arena, error);
    free(content->bytes);
    return status;
}

static int add_list(
    struct preview_run *run, const struct cluster_object *kind, struct slice selector, struct error *error)
{
    struct file_content content;
    enum cluster_found found = cluster_list_objects(run->sources.cluster, kind, selector, &content, error);
    return add_answer(run, found, &content, error);
}

static int add_object(struct preview_run *run, const struct cluster_object *object, struct error *error)
{
    struct file_content content;
    enum cluster_found found = cluster_find_object(run->sources.cluster, object, &content, error);
    return add_answer(run, found, &content, error);
}

/* The value of a JSON text, which it frees. Returns NULL if it cannot be read, or memory runs out. */
static const struct value *take_value(struct preview_run *run, struct file_content *content)
{
    struct arena *arena = run->sources.arena;
    struct slice text = arena_copy(arena, file_slice(content));
    free(content->bytes);
    return value_read_json(text, arena);
}

/* An object that says what a tool prunes. Returns NULL and sets the error if the cluster lacks it. */
static const struct value *read_parent(
    struct preview_run *run, const struct cluster_object *object, struct error *error)
{
    struct file_content content;
    enum cluster_found found = cluster_find_object(run->sources.cluster, object, &content, error);
    if (found == CLUSTER_NO_OBJECT)
        error_set(
            error, "the cluster has no %.*s %.*s, which says what is pruned", (int)object->kind.length,
            object->kind.bytes, (int)text_cut(object->name, 128).length, object->name.bytes);
    if (found != CLUSTER_FOUND)
        return NULL;
    const struct value *value = take_value(run, &content);
    if (!value)
        error_set(error, "the object that says what is pruned cannot be read");
    return value;
}

/*
 * kubectl (pkg/cmd/apply: prune.go, applyset.go)
 */

/* In each namespace of the manifests, and of the cluster. */
static int add_selected(struct preview_run *run, const struct prune *prune, struct error *error)
{
    size_t count;
    const char *const *kinds = prune_kinds(&count);
    const struct preview_sources *sources = &run->sources;
    for (size_t i = 0; i < count; i++) {
        struct slice group_kind = slice_of(kinds[i]);
        struct slice kind = slice_until(group_kind, slice_find(group_kind, '.'));
        struct slice group = slice_from(group_kind, kind.length + 1);
        struct cluster_object wanted = {
            .api_version = text_join(run->sources.arena, as_qualified(text_append, group, SLICE("v1"))),
            .kind = kind};
        bool is_of_cluster = kind_scope_of(group_of(wanted.api_version), kind) == KIND_CLUSTER;
        for (size_t j = 0; j < (is_of_cluster ? 1 : sources->namespace_count); j++) {
            wanted.namespace = is_of_cluster ? (struct slice){NULL, 0} : sources->namespaces[j];
            if (add_list(run, &wanted, prune->selector, error) < 0)
                return -1;
        }
    }
    return 0;
}

static struct slice annotation_of(const struct value *object, struct slice key)
{
    return value_text(value_member(value_at(object, SLICE(".metadata.annotations")), key));
}

static struct slice membership_of(const struct prune *prune, struct arena *arena)
{
    return text_join(arena, APPLY_SET_MEMBER_LABEL, "=", prune->apply_set);
}

/* The members of one kind, in the namespace of the Secret and the others that it names. */
static int add_members(
    struct preview_run *run, struct slice group_kind, struct slice namespace, struct slice others,
    struct slice selector, struct error *error)
{
    struct slice kind = slice_until(group_kind, slice_find(group_kind, '.'));
    struct slice group = slice_from(group_kind, kind.length + 1);
    struct cluster_object wanted = {.kind = kind};
    enum cluster_found found =
        cluster_find_version(run->sources.cluster, group, run->sources.arena, &wanted.api_version, error);
    if (found != CLUSTER_FOUND)
        return found == CLUSTER_NO_OBJECT ? 0 : -1;
    for (wanted.namespace = namespace; wanted.namespace.length;) {
        if (add_list(run, &wanted, selector, error) < 0)
            return -1;
        wanted.namespace = split_next(&others, ',');
    }
    return 0;
}

static int add_apply_set(struct preview_run *run, const struct prune *prune, struct error *error)
{
    const struct slice namespace = preview_namespace(&run->sources), name = slice_of(run->request->apply_set);
    const struct cluster_object secret = {SLICE("v1"), SLICE("Secret"), namespace, name};
    if (apply_set_id_valid(name))
        return error_set(
            error,
            "an ID does not say where its objects are: name the Secret of the ApplySet, or give --live");
    const struct value *parent = read_parent(run, &secret, error);
    struct slice selector = membership_of(prune, run->sources.arena);
    if (!parent)
        return -1;
    struct slice kinds = annotation_of(parent, GROUP_KINDS_ANNOTATION);
    while (kinds.length) {
        struct slice group_kind = split_next(&kinds, ',');
        if (add_members(
                run, group_kind, namespace, annotation_of(parent, NAMESPACES_ANNOTATION), selector, error) <
            0)
            return -1;
    }
    return 0;
}

/*
 * Flux (kustomize-controller: status.inventory)
 */

/* NAMESPACE_NAME_GROUP_KIND, where a colon of the name is written as two underscores (cli-utils, object). */
static struct cluster_object object_of_entry(const struct value *entry, struct arena *arena)
{
    struct slice id = value_text(value_member(entry, SLICE("id")));
    struct cluster_object object = {.namespace = slice_until(id, slice_find(id, '_'))};
    struct text name = text_start(arena, 64);
    size_t kind = id.length, group;
    while (kind && id.bytes[kind - 1] != '_')
        kind--;
    for (group = kind ? kind - 1 : 0; group && id.bytes[group - 1] != '_';)
        group--;
    object.kind = slice_from(id, kind);
    if (group < object.namespace.length + 2)
        return (struct cluster_object){.kind = {NULL, 0}};
    object.api_version = text_join(
        arena,
        as_qualified(
            text_append, slice_until(slice_from(id, group), kind - 1 - group),
            value_text(value_member(entry, SLICE("v")))));
    struct slice encoded =
        slice_until(slice_from(id, object.namespace.length + 1), group - object.namespace.length - 2);
    for (size_t i = 0; i < encoded.length; i++) {
        bool is_colon = slice_starts_with(slice_from(encoded, i), SLICE("__"));
        text_append(&name, is_colon ? SLICE(":") : slice_until(slice_from(encoded, i), 1));
        i += is_colon;
    }
    object.name = text_slice(&name);
    return object;
}

static bool is_false(const struct value *value)
{
    return value && value->kind == VALUE_SCALAR && yyjson_is_false(value->scalar);
}

static int add_inventory(
    struct preview_run *run, struct prune *prune, struct slice owner, struct error *error)
{
    struct slice namespace = slice_until(owner, slice_find(owner, '/'));
    const struct cluster_object wanted = {
        SLICE("kustomize.toolkit.fluxcd.io/v1"), SLICE("Kustomization"), namespace,
        slice_from(owner, namespace.length + 1)};
    const struct value *parent = read_parent(run, &wanted, error);
    if (!parent)
        return -1;
    const struct value *prunes = value_at(parent, SLICE(".spec.prune"));
    const struct value *entries = value_at(parent, SLICE(".status.inventory.entries"));
    prune->is_off |= !prunes || is_false(prunes);
    for (size_t i = 0; entries && entries->kind == VALUE_LIST && i < entries->count; i++) {
        const struct cluster_object object = object_of_entry(entries->items[i], run->sources.arena);
        if (object.kind.length && add_object(run, &object, error) < 0)
            return -1;
    }
    return 0;
}

/*
 * Argo CD (Application: status.resources)
 */

static int add_resource(struct preview_run *run, const struct value *resource, struct error *error)
{
    const struct cluster_object object = {
        text_join(
            run->sources.arena,
            as_qualified(
                text_append, value_text(value_member(resource, SLICE("group"))),
                value_text(value_member(resource, SLICE("version"))))),
        value_text(value_member(resource, SLICE("kind"))),
        value_text(value_member(resource, SLICE("namespace"))),
        value_text(value_member(resource, SLICE("name"))),
    };
    return add_object(run, &object, error);
}

/* An Application outside of the namespace of Argo CD is called NAMESPACE_NAME. */
static bool is_called(const struct value *application, struct slice called)
{
    struct slice namespace = value_text(value_at(application, SLICE(".metadata.namespace")));
    struct slice name = value_text(value_at(application, SLICE(".metadata.name")));
    return slice_equal(called, name) ||
        (called.length == namespace.length + 1 + name.length && slice_starts_with(called, namespace) &&
         called.bytes[namespace.length] == '_' &&
         slice_equal(slice_from(called, namespace.length + 1), name));
}

static bool is_owner(const struct prune *prune, const struct value *application)
{
    for (size_t i = 0; i < prune->owners.count; i++)
        if (is_called(application, prune->owners.items[i]))
            return true;
    return false;
}

static int add_applications(struct preview_run *run, const struct prune *prune, struct error *error)
{
    const struct cluster_object kind = {
        SLICE("argoproj.io/v1alpha1"), SLICE("Application"), {NULL, 0}, {NULL, 0}};
    struct file_content content;
    if (cluster_list_objects(run->sources.cluster, &kind, (struct slice){NULL, 0}, &content, error) !=
        CLUSTER_FOUND)
        return -1;
    const struct value *items = value_member(take_value(run, &content), SLICE("items"));
    for (size_t i = 0; items && items->kind == VALUE_LIST && i < items->count; i++) {
        const struct value *resources = value_at(items->items[i], SLICE(".status.resources"));
        if (!is_owner(prune, items->items[i]) || !resources || resources->kind != VALUE_LIST)
            continue;
        for (size_t j = 0; j < resources->count; j++)
            if (add_resource(run, resources->items[j], error) < 0)
                return -1;
    }
    return 0;
}

int preview_find_candidates(struct preview_run *run, struct prune *prune, struct error *error)
{
    if (prune->selector.length)
        return add_selected(run, prune, error);
    if (prune->apply_set.length)
        return add_apply_set(run, prune, error);
    if (!prune->owners.count)
        return error_set(
            error, "no live object of the manifests says to which %s it belongs; give --previous",
            prune->applier == APPLY_FLUX ? "Kustomization" : "Application");
    if (prune->applier != APPLY_FLUX)
        return add_applications(run, prune, error);
    for (size_t i = 0; i < prune->owners.count; i++)
        if (add_inventory(run, prune, prune->owners.items[i], error) < 0)
            return -1;
    return 0;
}
