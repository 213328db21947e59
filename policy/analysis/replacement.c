#include "policy/analysis/replacement.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "policy/fieldset/fields.h"
#include "policy/review/ownership.h"

#define KAPP_CONFIGURATION "kapp.k14s.io/original"
#define KAPP_STRATEGY "kapp.k14s.io/update-strategy"

static bool is_update(const struct managed_fields_entry *entry)
{
    return entry->manager.operation == MANAGER_UPDATE && !entry->manager.subresource.length;
}

/* NULL: it cannot be read, or a copy of another object's. */
static yyjson_val *configuration_of(const struct review *review, const struct object_parts *object)
{
    yyjson_val *annotation = json_member(object->metadata.annotations, SLICE(KAPP_CONFIGURATION));
    yyjson_val *configuration = json_parse(json_text(annotation), review->arena);
    struct object_parts parts;
    object_parts_read(&parts, configuration);
    bool is_whole = json_text(parts.kind).length && json_text(parts.metadata.name).length;
    return is_whole && !review_is_of_another(review, &parts) ? configuration : NULL;
}

static bool is_skipped(const struct review *review)
{
    yyjson_val *strategy = json_member(review->parts.metadata.annotations, SLICE(KAPP_STRATEGY));
    return slice_equal(json_text(strategy), SLICE("skip"));
}

static struct replacer kapp_of(
    const struct review *review, const struct object_parts *object, const struct managed_fields_entry *entry)
{
    if (!entry_owns_annotation(entry, SLICE(KAPP_CONFIGURATION)) || is_skipped(review))
        return (struct replacer){0};
    yyjson_val *configuration = configuration_of(review, object);
    return configuration ? (struct replacer){REPLACER_KAPP, entry, configuration} : (struct replacer){0};
}

/* Whether it owns more than metadata: Argo CD's controller also sets finalizers of hooks by this name. */
static bool owns_content(const struct managed_fields_entry *entry)
{
    json_each_key(key, entry_fields(entry))
        if (!slice_equal(json_text(key), SLICE("f:metadata")))
            return true;
    return false;
}

/*
 * Under this name Argo CD's controller replaces, reconciles roles as kubectl auth does, and keeps its own
 * kinds. Where it also applies, it keeps what others add.
 */
static bool argocd_replaces(
    const struct review *review, const struct object_parts *object, const struct managed_fields *side,
    const struct managed_fields_entry *entry)
{
    static const char *const others[] = {"argoproj.io", "rbac.authorization.k8s.io"};
    yyjson_val *last_applied = json_member(object->metadata.annotations, SLICE(LAST_APPLIED_ANNOTATION));
    if (!owns_content(entry) || json_text(last_applied).bytes ||
        slice_is_one_of(review->group, others, ARRAY_SIZE(others)))
        return false;
    for (size_t i = 0; i < side->count; i++)
        if (slice_equal(side->entries[i].manager.name, SLICE("argocd-controller")))
            return false;
    return true;
}

static struct replacer find(
    const struct review *review, const struct object_parts *object, const struct managed_fields *side)
{
    for (size_t i = 0; i < side->count; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        if (is_update(entry) && entry_tool(entry) == TOOL_KAPP)
            return kapp_of(review, object, entry);
        if (is_update(entry) && slice_equal(entry->manager.name, SLICE("argocd-application-controller")))
            return argocd_replaces(review, object, side, entry)
                ? (struct replacer){REPLACER_ARGOCD, entry, NULL}
                : (struct replacer){0};
    }
    return (struct replacer){0};
}

struct replacer replacer_of(const struct review *review)
{
    return find(review, &review->old_parts, &review->ownership.before);
}

struct replacer replacer_of_stored(const struct review *review)
{
    return find(review, &review->parts, &review->ownership.after);
}

yyjson_val *replacement_configuration(const struct review *review)
{
    bool is_kapp = manager_tool(review->ownership.writer.manager.name) == TOOL_KAPP;
    return is_kapp ? configuration_of(review, &review->parts) : NULL;
}

/* kapp's own annotations and labels, which it writes again. */
static bool is_of_kapp(const struct path *path)
{
    return path->depth == 3 && slice_starts_with(path->text, SLICE("kapp.k14s.io/"));
}

static bool is_kept_of_metadata(const struct path *path)
{
    if (is_of_kapp(path))
        return true;
    while (path->depth > 2)
        path = path->parent;
    return path->depth == 2 && !slice_equal(path->text, SLICE("labels")) &&
        !slice_equal(path->text, SLICE("annotations"));
}

bool replacer_keeps(const struct path *path)
{
    /* carvel-kapp, pkg/kapp/config/default.go; the API server keeps most of them, too. */
    static const char *const copied[] = {"clusterIP",           "clusterIPs", "nodePort",
                                         "healthCheckNodePort", "finalizers", "secrets",
                                         "storageClassName",    "volumeName", "caBundle"};
    const struct path *root = path;
    while (root->depth > 1)
        root = root->parent;
    if (slice_equal(root->text, SLICE("metadata")))
        return is_kept_of_metadata(path);
    return slice_equal(root->text, SLICE("status")) ||
        (path->kind == PATH_FIELD && slice_is_one_of(path->text, copied, ARRAY_SIZE(copied)));
}
