#include "apply/live.h"
#include "base/text.h"
#include "commands/preview/flux_ignore.h"
#include "commands/preview/run.h"
#include "manifest/each_object.h"
#include "manifest/json_value.h"
#include "manifest/kinds.h"

/* An object whose last apply is applied again. */
struct named {
    const struct manifest_object *live;
    yyjson_val *json;
    bool is_partial; /* the manifest contains only fields that the manager still owns */
};

void preview_complain(struct preview_run *run, const char *path, const struct error *error)
{
    run->caller->complain(run->caller->context, path, error);
    run->has_failed = true;
}

/* A broken live object has no preview, with any manifest. */
static bool is_live_broken(struct preview_run *run, yyjson_val *live)
{
    struct live ignored;
    return live && apply_live_read(live, run->arena, &ignored, NULL) < 0;
}

/* Complains about the live object, which is in another place than its manifest. */
static void complain_of_live(
    struct preview_run *run, const struct manifest_object *object, struct manifest_place place,
    const struct error *error)
{
    struct error named;
    object_error(object, false, error, run->arena, &named);
    named.line = place.line;
    named.column = place.column;
    preview_complain(run, run->sources.live ? run->request->live : "the cluster", &named);
}

/* `live` is the live object, if it was found; `has_place`: the manifest is in a file. */
static void complain_of_object(
    struct preview_run *run, const char *path, const struct manifest_object *object, bool has_place,
    const struct preview_live *live, const struct error *error)
{
    struct error of_object;
    bool is_of_live = is_live_broken(run, live->json);
    arena_reset(run->arena);
    if (is_of_live) {
        complain_of_live(run, object, live->place, error);
        return;
    }
    object_error(object, has_place, error, run->arena, &of_object);
    preview_complain(run, path, &of_object);
}

int preview_print(struct preview_run *run, const struct preview *preview, struct error *error)
{
    return preview ? run->caller->print(run->caller->context, preview, error) : -1;
}

/*
 * kubectl refuses -n together with another namespace in the manifest; in Helm's charts, it is the namespace
 * of the release.
 */
static int check_namespace(
    const struct preview_request *request, const struct manifest_object *object, struct error *error)
{
    bool is_kubectl = request->applier == APPLY_KUBECTL || request->applier == APPLY_KUBECTL_SERVER;
    if (!request->namespace || !is_kubectl || !object->namespace.length ||
        slice_equal(object->namespace, slice_of(request->namespace)) ||
        kind_scope_of(group_of(object->api_version), object->kind) == KIND_CLUSTER)
        return 0;
    return error_set(error, "kubectl refuses -n for a manifest with another namespace");
}

/* `named` is NULL for the object of a manifest. */
static int find_live(
    struct preview_run *run, const struct manifest_object *object, const struct named *named,
    struct preview_live *live, struct error *error)
{
    if (!named && check_namespace(run->request, object, error) < 0)
        return -1;
    if (!named || !slice_equal(named->live->api_version, object->api_version))
        return preview_find_live(&run->sources, object, run->arena, live, error);
    live->json = named->json;
    return 0;
}

static const struct preview *make(
    struct preview_run *run, const struct manifest_object *object, const struct named *named,
    yyjson_val *live, struct error *error)
{
    const struct preview_request *request = run->request;
    const struct apply_question question = {
        .manifest = object,
        .is_partial = named && named->is_partial,
        .live = live,
        .applier = request->applier,
        .manager = slice_of_optional(request->manager),
        .is_forced = request->is_forced,
        .has_previous = run->sources.previous != NULL,
        .previous = preview_find_previous(&run->sources, object),
        .namespace = named && named->live->namespace.length ? named->live->namespace
                                                            : preview_namespace(&run->sources),
        .schema = preview_find_schema(&run->sources, object),
        .policy = request->policy,
        .user = slice_of_optional(request->user),
        .groups = request->groups,
        .now = request->now,
    };
    return preview_make(&question, run->arena, error);
}

/*
 * The manifest as Flux sends it if its Kustomization ignores fields, as JSON. NULL bytes: as it is. Returns
 * -1 and sets the error if memory runs out.
 */
static int ignore_fields(
    struct preview_run *run, const struct manifest_object *object, yyjson_val *live, struct slice *changed,
    struct error *error)
{
    struct arena *arena = run->arena;
    const struct value *live_value = live ? value_read(live, arena, NULL) : NULL;
    struct slice json =
        live_value ? preview_find_kustomization(&run->sources, live_value) : (struct slice){NULL, 0};
    const struct value *kustomization = json.bytes ? value_read_json(json, arena) : NULL;
    *changed = (struct slice){NULL, 0};
    if (!kustomization)
        return 0;
    const struct value *manifest = value_read_json(manifest_json(object->root, arena), arena);
    const struct value *sent = manifest ? flux_ignore(kustomization, manifest, live_value, arena) : NULL;
    if (!sent)
        return error_set_out_of_memory(error);
    if (sent == manifest)
        return 0;
    struct text text = text_start(arena, 4096);
    value_append_json(&text, sent);
    *changed = text_slice(&text);
    return changed->bytes ? 0 : error_set_out_of_memory(error);
}

static int print_object(
    struct preview_run *run, const struct manifest_object *object, const struct named *named,
    yyjson_val *live, struct error *error)
{
    struct slice changed = {NULL, 0};
    struct manifest_object sent;
    if (run->request->applier == APPLY_FLUX && !named &&
        ignore_fields(run, object, live, &changed, error) < 0)
        return -1;
    if (!changed.bytes)
        return preview_print(run, make(run, object, named, live, error), error);
    struct manifest_reader *reader = preview_open_object(changed, &sent, error);
    int status = reader ? preview_print(run, make(run, &sent, named, live, error), error) : -1;
    manifest_close(reader);
    return status;
}

static void preview_object(
    struct preview_run *run, const char *path, const struct manifest_object *object,
    const struct named *named)
{
    struct error error = {0};
    struct preview_live live = {0};
    arena_reset(run->arena);
    if (run->is_unreachable) {
        run->unreached++;
        return;
    }
    if (find_live(run, object, named, &live, &error) == 0 &&
        print_object(run, object, named, live.json, &error) == 0)
        return;
    run->is_unreachable = run->sources.cluster && run->sources.cluster->refusal == CLUSTER_UNREACHABLE;
    complain_of_object(run, path, object, !named, &live, &error);
}

void preview_manifest(struct preview_run *run, const char *path, const struct manifest_object *object)
{
    preview_object(run, path, object, NULL);
}

struct manifest_reader *preview_open_object(
    struct slice text, struct manifest_object *object, struct error *error)
{
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    enum manifest_result result = reader ? manifest_next(reader, object, error) : MANIFEST_ERROR;
    if (result == MANIFEST_OBJECT)
        return reader;
    if (!reader)
        error_set_out_of_memory(error);
    else if (result == MANIFEST_END)
        error_set(error, "it holds no object");
    manifest_close(reader);
    return NULL;
}

/* The last apply of a live object, once more. Returns -1 and sets the error. */
static int apply_again(
    struct preview_run *run, const char *operand, const struct manifest_object *live, struct arena *arena,
    struct error *error)
{
    const struct apply_question question = {
        .manifest = live,
        .live = manifest_json_value(live->root, arena),
        .applier = run->request->applier,
        .manager = slice_of_optional(run->request->manager),
        .schema = preview_find_schema(&run->sources, live),
    };
    struct last_apply applied;
    struct manifest_object manifest;
    if (!question.live)
        return error_set_out_of_memory(error);
    if (apply_find_last(&question, arena, &applied, error) < 0)
        return -1;
    struct manifest_reader *reader = preview_open_object(applied.manifest, &manifest, error);
    if (!reader)
        return -1;
    preview_object(run, operand, &manifest, &(struct named){live, question.live, applied.is_partial});
    manifest_close(reader);
    return 0;
}

void preview_named(struct preview_run *run, const char *operand)
{
    struct error error = {0};
    struct slice json;
    struct manifest_object live;
    struct manifest_reader *reader = NULL;
    struct arena *arena = arena_create();
    int result = arena ? preview_find_named(&run->sources, operand, arena, &json, &error)
                       : error_set_out_of_memory(&error);
    if (result == 0)
        reader = preview_open_object(json, &live, &error);
    if (!reader || apply_again(run, operand, &live, arena, &error) < 0)
        preview_complain(run, operand, &error);
    manifest_close(reader);
    arena_destroy(arena);
}

/* Helm does not delete an object that is already gone. Returns -1 and sets the error. */
static int drop(
    struct preview_run *run, const struct manifest_object *former, struct preview_live *live,
    struct error *error)
{
    if (preview_find_live(&run->sources, former, run->arena, live, error) < 0)
        return -1;
    if (!live->json)
        return 0;
    const struct apply_question question = {.manifest = former, .live = live->json};
    return preview_print(run, preview_make_dropped(&question, run->arena, error), error);
}

void preview_dropped(struct preview_run *run)
{
    for (struct slice json; (json = file_objects_next_unused(run->sources.previous)).bytes;) {
        struct error error = {0};
        struct preview_live live = {0};
        struct manifest_object former;
        arena_reset(run->arena);
        struct manifest_reader *reader = preview_open_object(json, &former, &error);
        if (!reader)
            preview_complain(run, run->request->previous, &error);
        else if (drop(run, &former, &live, &error) < 0)
            complain_of_object(run, run->request->previous, &former, true, &live, &error);
        manifest_close(reader);
    }
}
