#include "cli/preview_run.h"

#include "apply/live.h"
#include "apply/merge/schema.h"
#include "base/terminal_output.h"
#include "cli/file.h"
#include "manifest/each_object.h"
#include "manifest/kinds.h"

#include <stdio.h>
#include <stdlib.h>

void preview_say(struct preview_run *run, const char *path, const struct error *error)
{
    file_complain(path, error);
    run->has_failed = true;
}

static void say_of_object(
    struct preview_run *run, const char *path, const struct manifest_object *object,
    const struct error *error)
{
    struct error named;
    object_error(object, !run->named, error, run->arena, &named);
    preview_say(run, path, &named);
}

/* A broken live object has no preview, with any manifest. */
static bool is_live_broken(struct preview_run *run, struct slice live)
{
    struct live ignored;
    return live.bytes && preview_live_read(live, run->arena, &ignored, NULL) < 0;
}

/* Reports an error of the live object, which is in another place than its manifest. */
static void say_of_live(
    struct preview_run *run, const struct manifest_object *object, struct slice live,
    const struct error *error)
{
    struct error named;
    struct manifest_place place = {0};
    if (run->live)
        place = file_objects_place(run->live, live);
    object_error(object, false, error, run->arena, &named);
    named.line = place.line;
    named.column = place.column;
    preview_say(run, run->live ? run->options->live : "the cluster", &named);
}

/* `live` is the live object, if it was found; the error's text lives in the arena. */
static void say_what_failed(
    struct preview_run *run, const char *path, const struct manifest_object *object, struct slice live,
    const struct error *error)
{
    bool is_of_live = is_live_broken(run, live);
    arena_reset(run->arena);
    if (is_of_live)
        say_of_live(run, object, live, error);
    else
        say_of_object(run, path, object, error);
}

static struct slice optional(const char *text)
{
    return text ? slice_of(text) : (struct slice){NULL, 0};
}

/* Whether a finding reaches --fail-on; policyAction is the action that the policy alone would take. */
bool preview_is_failure(const struct preview_run *run, const struct preview *preview)
{
    const struct verdict *verdict = preview->verdict;
    if (run->options->format == FORMAT_DIFF)
        return (preview->after || preview->dropped) && !preview_is_same(preview);
    bool is_failure = preview->is_refused;
    for (size_t i = 0; verdict && i < verdict->finding_count; i++)
        is_failure |= verdict->findings[i].policy_action >= run->options->fail_on;
    return is_failure;
}

/* Returns false if memory runs out. */
bool preview_print(struct preview_run *run, const struct preview *preview)
{
    struct text text = text_start(run->arena, 4096);
    if (run->options->format == FORMAT_TEXT || run->options->format == FORMAT_DIFF)
        terminal_begin_pager();
    if (run->options->format == FORMAT_JSON)
        preview_append_json(&text, preview);
    else if (run->options->format == FORMAT_DIFF)
        preview_append_diff(&text, preview, run->has_colour);
    else if (run->options->format == FORMAT_OBJECT)
        preview_append_object(&text, preview);
    else
        preview_append_text(&text, preview, run->has_colour);
    struct slice all = text_slice(&text);
    if (run->printed++ && run->options->format == FORMAT_TEXT)
        fputs("\n", stdout);
    fwrite(all.bytes, 1, all.length, stdout);
    return all.bytes != NULL;
}

/* Whether --crd has the type, which may be applied before the object. */
static bool has_definition(const struct preview_run *run, const struct manifest_object *object)
{
    const struct custom_type *type = custom_types_find(&run->types, object->api_version, object->kind);
    return type && type->schema.length;
}

/*
 * Returns -1, and an error that explains how to preview a custom resource before its definition is applied.
 */
static int kind_is_absent(const struct manifest_object *object, struct error *error)
{
    const struct error absent = *error;
    if (kind_scope_of(group_of(object->api_version), object->kind) == KIND_UNKNOWN)
        error_set(error, "%s; give a definition that is not applied yet with --crd", absent.message);
    return -1;
}

/* The namespace for objects that name none. */
static struct slice default_namespace(const struct preview_run *run)
{
    if (run->options->cluster.namespace)
        return slice_of(run->options->cluster.namespace);
    return run->cluster ? cluster_namespace(run->cluster) : SLICE("default");
}

/* Returns -1 and sets the error. */
static int connect_once(struct preview_run *run, struct error *error)
{
    if (!run->cluster)
        run->cluster = cluster_open(&run->options->cluster, error);
    return run->cluster ? 0 : -1;
}

/* The live object of the manifest, from the file or from the cluster. Returns -1 and sets the error. */
int preview_find_live(
    struct preview_run *run, const struct manifest_object *object, struct slice *live, struct error *error)
{
    const struct cluster_object wanted = {object->api_version, object->kind, object->namespace, object->name};
    struct file_content content;
    if (run->named && slice_equal(run->named->api_version, object->api_version)) {
        *live = manifest_json(run->named->root, run->arena);
        return 0;
    }
    if (run->live) {
        *live = file_objects_find(run->live, object, default_namespace(run));
        return 0;
    }
    if (!object->name.length)
        return 0;
    if (connect_once(run, error) < 0)
        return -1;
    enum cluster_found found = cluster_find_object(run->cluster, &wanted, &content, error);
    if (found == CLUSTER_NO_OBJECT || (found == CLUSTER_NO_KIND && has_definition(run, object)))
        return 0;
    if (found == CLUSTER_NO_KIND)
        return kind_is_absent(object, error);
    if (found != CLUSTER_FOUND)
        return -1;
    *live = arena_copy(run->arena, (struct slice){content.bytes, content.length});
    free(content.bytes);
    return live->bytes ? 0 : error_set(error, "there is no memory for the live object");
}

/* Adds the cluster's definition of the object's type, if it has one. */
static void ask_for_type(struct preview_run *run, const struct manifest_object *object)
{
    const struct cluster_object wanted = {object->api_version, object->kind, {NULL, 0}, object->name};
    struct manifest_object definition;
    struct file_content content;
    struct error error = {0};
    if (cluster_find_definition(run->cluster, &wanted, &content, &error) != CLUSTER_FOUND)
        return;
    struct slice text = {content.bytes, content.length};
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    if (reader && manifest_next(reader, &definition, &error) == MANIFEST_OBJECT)
        custom_types_add(&run->types, &definition, run->kept);
    manifest_close(reader);
    free(content.bytes);
}

/* If the type is unknown, asks the cluster for it, once. If the cluster lacks it, it stays unknown. */
static struct slice find_schema(struct preview_run *run, const struct manifest_object *object)
{
    struct schema_ref builtin;
    const struct custom_type *type = custom_types_find(&run->types, object->api_version, object->kind);
    if (!type && run->cluster && !schema_find_builtin(object->api_version, object->kind, &builtin)) {
        ask_for_type(run, object);
        type = custom_types_find(&run->types, object->api_version, object->kind);
        if (!type)
            custom_types_add_unknown(&run->types, object->api_version, object->kind, run->kept);
    }
    return type ? type->schema : (struct slice){NULL, 0};
}

/*
 * kubectl refuses -n together with another namespace in the manifest; in Helm's charts, it is the namespace
 * of the release.
 */
static int check_namespace(
    const struct preview_run *run, const struct manifest_object *object, struct error *error)
{
    const char *namespace = run->options->cluster.namespace;
    bool is_kubectl =
        run->options->applier == PREVIEW_KUBECTL || run->options->applier == PREVIEW_KUBECTL_SERVER;
    if (!namespace || !is_kubectl || run->named || !object->namespace.length ||
        slice_equal(object->namespace, slice_of(namespace)) ||
        kind_scope_of(group_of(object->api_version), object->kind) == KIND_CLUSTER)
        return 0;
    return error_set(error, "kubectl refuses -n for a manifest with another namespace");
}

static const struct preview *make(
    struct preview_run *run, const struct manifest_object *object, struct slice *live, struct error *error)
{
    const struct preview_options *options = run->options;
    struct preview_question question = {
        .manifest = object,
        .applier = options->applier,
        .manager = optional(options->manager),
        .is_forced = options->is_forced,
        .is_partial = run->is_partial,
        .has_previous = run->previous != NULL,
        .policy = run->policy,
        .user = optional(options->requester.user),
        .groups = run->groups,
        .now = run->now,
    };
    if (check_namespace(run, object, error) < 0 || preview_find_live(run, object, live, error) < 0)
        return NULL;
    question.live = *live;
    if (run->previous)
        question.previous = file_objects_find(run->previous, object, default_namespace(run));
    question.schema = find_schema(run, object);
    question.namespace =
        run->named && run->named->namespace.length ? run->named->namespace : default_namespace(run);
    return preview_make(&question, run->arena, error);
}

void preview_object(struct preview_run *run, const char *path, const struct manifest_object *object)
{
    struct error error = {0};
    struct slice live = {NULL, 0};
    arena_reset(run->arena);
    const struct preview *preview = make(run, object, &live, &error);
    if (preview && !preview->after && run->options->format >= FORMAT_DIFF) {
        error_set(&error, "%.*s", (int)preview->refused.items[0].length, preview->refused.items[0].bytes);
        preview = NULL;
    }
    if (preview && !preview_print(run, preview)) {
        error_set(&error, "there is no memory to print all of it");
        preview = NULL;
    }
    if (preview) {
        run->has_found |= preview_is_failure(run, preview);
        return;
    }
    say_what_failed(run, path, object, live, &error);
}

/* The only object of a text. NULL and an error; otherwise it is valid until the reader is closed. */
static struct manifest_reader *open_object(
    struct slice text, struct manifest_object *object, struct error *error)
{
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    enum manifest_result result = reader ? manifest_next(reader, object, error) : MANIFEST_ERROR;
    if (result == MANIFEST_OBJECT)
        return reader;
    if (!reader || result == MANIFEST_END)
        error_set(error, "%s", reader ? "it holds no object" : "there is no memory");
    manifest_close(reader);
    return NULL;
}

/* The last apply of a live object, once more. Returns -1 and sets the error. */
static int apply_again(
    struct preview_run *run, const char *operand, const struct manifest_object *live, struct arena *arena,
    struct error *error)
{
    const struct preview_options *options = run->options;
    const struct preview_question question = {
        .manifest = live,
        .live = manifest_json(live->root, arena),
        .applier = options->applier,
        .manager = optional(options->manager),
        .schema = find_schema(run, live),
    };
    struct last_apply applied;
    struct manifest_object manifest;
    if (preview_last_apply(&question, arena, &applied, error) < 0)
        return -1;
    struct manifest_reader *reader = open_object(applied.manifest, &manifest, error);
    if (!reader)
        return -1;
    run->is_partial = applied.is_partial;
    preview_object(run, operand, &manifest);
    manifest_close(reader);
    return 0;
}

/* The live object as JSON: that of --live, or of the cluster. Returns -1 and sets the error. */
static int read_named(
    struct preview_run *run, const char *operand, struct arena *arena, struct slice *json,
    struct error *error)
{
    const struct cluster_options *options = &run->options->cluster;
    struct file_content content;
    if (run->live)
        return file_objects_find_named(run->live, operand, optional(options->namespace), json, error);
    if (cluster_read_named(&run->cluster, options, operand, &content, error) < 0)
        return -1;
    *json = arena_copy(arena, (struct slice){content.bytes, content.length});
    free(content.bytes);
    return json->bytes ? 0 : error_set(error, "there is no memory for it");
}

void preview_named(struct preview_run *run, const char *operand)
{
    struct error error = {0};
    struct slice json;
    struct manifest_object live;
    struct manifest_reader *reader = NULL;
    struct arena *arena = arena_create();
    int result =
        arena ? read_named(run, operand, arena, &json, &error) : error_set(&error, "there is no memory");
    if (result == 0)
        reader = open_object(json, &live, &error);
    if (reader) {
        run->named = &live;
        result = apply_again(run, operand, &live, arena, &error);
        run->named = NULL;
    }
    if (!reader || result < 0)
        preview_say(run, operand, &error);
    manifest_close(reader);
    arena_destroy(arena);
}

/* Helm does not delete an object that is already gone. Returns -1 and sets the error. */
static int drop(
    struct preview_run *run, const struct manifest_object *former, struct slice *live, struct error *error)
{
    struct preview_question question = {.manifest = former, .live = {NULL, 0}};
    if (preview_find_live(run, former, live, error) < 0)
        return -1;
    if (!live->bytes)
        return 0;
    question.live = *live;
    const struct preview *preview = preview_make_dropped(&question, run->arena, error);
    if (!preview)
        return -1;
    run->has_found |= preview_is_failure(run, preview);
    bool is_shown = preview->after || run->options->format != FORMAT_OBJECT;
    return !is_shown || preview_print(run, preview)
        ? 0
        : error_set(error, "there is no memory to print all of it");
}

void preview_dropped(struct preview_run *run)
{
    for (struct slice json; (json = file_objects_next_unused(run->previous)).bytes;) {
        struct error error = {0};
        struct slice live = {NULL, 0};
        struct manifest_object former;
        arena_reset(run->arena);
        struct manifest_reader *reader = open_object(json, &former, &error);
        if (!reader)
            preview_say(run, run->options->previous, &error);
        else if (drop(run, &former, &live, &error) < 0)
            say_what_failed(run, run->options->previous, &former, live, &error);
        manifest_close(reader);
    }
}
