#include "apply/first_apply.h"

#include "apply/declared.h"
#include "apply/entries.h"
#include "base/json.h"
#include "manifest/edit.h"
#include "manifest/kinds.h"
#include "policy/managers.h"
#include "policy/review/review_from_objects.h"

static struct slice namespace_for(
    const struct manifest_object *object, const struct applier *applier, enum kind_scope scope)
{
    switch (scope) {
    case KIND_CLUSTER:
        return (struct slice){NULL, 0};
    case KIND_NAMESPACED:
        return object->namespace.length ? object->namespace
            : applier->namespace.length ? applier->namespace
                                        : SLICE("default");
    case KIND_UNKNOWN:
        break;
    }
    /* Most custom resources have a namespace: kubectl uses the one from its flags, if one is given. */
    return object->namespace.length ? object->namespace : applier->namespace;
}

bool first_apply_identify(
    const struct manifest_object *object, const struct applier *applier, struct arena *arena,
    struct first_apply *made)
{
    struct slice group = group_of(object->api_version);
    enum kind_scope scope = kind_scope_of(group, object->kind);
    *made = (struct first_apply){
        .scope = scope,
        .group_kind = group_kind_of(group, object->kind, arena),
        .namespace = arena_copy(arena, namespace_for(object, applier, scope)),
        .name = arena_copy(arena, object->name),
    };
    return !arena_has_failed(arena);
}

/*
 * The object
 */

/* kubectl and the API server read a null annotation as an empty string: the key stays. */
static const struct manifest_node *without_null_annotations(
    const struct manifest_node *metadata, struct arena *arena)
{
    const struct manifest_node *annotations = manifest_member(metadata, SLICE("annotations"));
    if (!annotations || annotations->kind != MANIFEST_MAP)
        return metadata;
    struct manifest_node *kept = arena_allocate(arena, sizeof(*kept));
    struct manifest_member *members = arena_allocate_array(arena, annotations->count + 1, sizeof(*members));
    const struct manifest_node *empty = manifest_string(SLICE(""), arena);
    if (!kept || !members || !empty)
        return NULL;
    for (size_t i = 0; i < annotations->count; i++) {
        members[i] = annotations->members[i];
        if (members[i].value->kind == MANIFEST_NULL)
            members[i].value = empty;
    }
    *kept = *annotations;
    kept->members = members;
    return manifest_set_member(metadata, SLICE("annotations"), kept, arena);
}

static const struct manifest_node *with_empty_annotations(
    const struct manifest_node *object, struct arena *arena)
{
    const struct manifest_node *metadata = manifest_member(object, SLICE("metadata"));
    if (!metadata)
        return object;
    return manifest_set_member(object, SLICE("metadata"), without_null_annotations(metadata, arena), arena);
}

/* Like util.GetModifiedConfiguration of kubectl. */
const struct manifest_node *first_apply_annotate(
    const struct manifest_node *object, struct arena *arena, struct slice *last_applied)
{
    static const struct slice name = SLICE_LITERAL(LAST_APPLIED_ANNOTATION);
    const struct manifest_node *metadata =
        without_null_annotations(manifest_member(object, SLICE("metadata")), arena);
    const struct manifest_node *annotations =
        manifest_remove_member(manifest_member(metadata, SLICE("annotations")), name, arena);
    metadata = manifest_set_member(metadata, SLICE("annotations"), annotations, arena);
    object = manifest_set_member(object, SLICE("metadata"), metadata, arena);
    if (!object)
        return NULL;
    struct text text = text_start(arena, object->text_bytes + object->nodes * 4 + 16);
    manifest_append_json(&text, object);
    text_append_string(&text, "\n");
    *last_applied = text_slice(&text);
    annotations = manifest_set_member(annotations, name, manifest_string(*last_applied, arena), arena);
    metadata = manifest_set_member(metadata, SLICE("annotations"), annotations, arena);
    return manifest_set_member(object, SLICE("metadata"), metadata, arena);
}

const struct manifest_node *first_apply_place(
    const struct manifest_node *object, struct slice namespace, struct arena *arena)
{
    static const struct slice name = SLICE_LITERAL("namespace");
    const struct manifest_node *metadata = manifest_member(object, SLICE("metadata"));
    const struct manifest_node *given = manifest_member(metadata, name);
    if (namespace.length ? slice_equal(manifest_text(given), namespace) : !given)
        return object;
    metadata = namespace.length
        ? manifest_set_member(metadata, name, manifest_string(namespace, arena), arena)
        : manifest_remove_member(metadata, name, arena);
    return manifest_set_member(object, SLICE("metadata"), metadata, arena);
}

/*
 * The review
 */

static const char *field_manager_of(const struct applier *applier)
{
    return applier->mode == APPLY_CLIENT_SIDE ? "kubectl-client-side-apply" : "kubectl";
}

/* Few rules need what the manifest owns, or how much of the stored object that is. */
struct first_owners {
    struct deferred_owners deferred;
    struct slice api_version, kind;
    const struct manifest_node *sent;
    struct owner_entry entry;
    struct arena *arena;
    yyjson_val *stored; /* NULL until it is needed */
};

/* The object as it is stored, with one owner. */
static yyjson_val *make_stored(struct deferred_owners *deferred)
{
    struct first_owners *owners = (struct first_owners *)(void *)deferred;
    if (owners->stored)
        return owners->stored;
    struct declared declared = declared_read(owners->api_version, owners->kind, owners->sent, owners->arena);
    owners->entry.fields = declared_fields(&declared, owners->arena);
    owners->stored = owners_build_object(owners->sent, &owners->entry, 1, owners->arena);
    return owners->stored;
}

static const struct deferred_owner *owner_of(
    const struct manifest_object *object, const struct manifest_node *sent, const struct applier *applier,
    struct arena *arena)
{
    struct first_owners *owners = arena_allocate(arena, sizeof(*owners));
    struct deferred_owner *owner = arena_allocate(arena, sizeof(*owner));
    if (!owners || !owner)
        return NULL;
    *owner = (struct deferred_owner){
        .manager =
            {.name = slice_of(field_manager_of(applier)),
             .operation = applier->mode == APPLY_SERVER_SIDE ? MANAGER_APPLY : MANAGER_UPDATE},
        .api_version = object->api_version,
        .time = applier->time,
        /* A deeper object declares nothing. */
        .owns_last_applied = applier->mode == APPLY_CLIENT_SIDE && sent->height <= JSON_DEPTH_MAX,
        .owners = &owners->deferred,
    };
    *owners = (struct first_owners){
        .deferred.make = make_stored,
        .api_version = object->api_version,
        .kind = object->kind,
        .sent = sent,
        .entry = {.manager = owner->manager, .api_version = owner->api_version, .time = owner->time},
        .arena = arena,
    };
    return owner;
}

/* The object that the applier sends; returns NULL if memory runs out. */
static const struct manifest_node *sent_object(
    const struct manifest_object *object, const struct applier *applier, struct arena *arena,
    struct first_apply *made)
{
    const struct manifest_node *placed = first_apply_place(object->root, made->namespace, arena);
    return applier->mode == APPLY_CLIENT_SIDE ? first_apply_annotate(placed, arena, &made->last_applied)
                                              : with_empty_annotations(placed, arena);
}

/*
 * The value of the annotation: the object without the annotation. Only the annotation has the managedFields
 * of a manifest: NULL.
 */
static yyjson_val *configuration_of(yyjson_val *stored, const struct manifest_node *sent, struct arena *arena)
{
    yyjson_val *annotations = json_metadata(stored, SLICE("annotations"));
    yyjson_val *value = json_member(annotations, SLICE(LAST_APPLIED_ANNOTATION));
    bool is_different = manifest_member(manifest_member(sent, SLICE("metadata")), SLICE("managedFields"));
    return value && !is_different ? json_without(stored, value - 1, arena) : NULL;
}

int first_apply_make(
    const struct manifest_object *object, const struct applier *applier, struct arena *arena,
    struct first_apply *made, struct error *error)
{
    const struct manifest_node *sent = sent_object(object, applier, arena, made);
    const struct deferred_owner *owner = sent ? owner_of(object, sent, applier, arena) : NULL;
    yyjson_val *stored = sent ? owners_build_without(sent, arena) : NULL;
    if (!owner || !stored || arena_has_failed(arena))
        return error_set_out_of_memory(error);
    const struct review_head head = {
        .uid = "check",
        .operation = OPERATION_CREATE,
        .group = group_of(object->api_version),
        .version = version_of(object->api_version),
        .kind = object->kind,
        .namespace = made->namespace,
        .name = object->name,
        .username = applier->user,
        .groups = applier->groups,
        .field_manager = slice_of(field_manager_of(applier)),
        .owner = owner,
        .configuration = made->last_applied.length ? configuration_of(stored, sent, arena) : NULL,
    };
    made->review = review_from_objects(&head, NULL, stored, arena, error);
    return made->review ? 0 : -1;
}
