/*
 * applyguard preview: what an apply would do.
 */
#include "preview/preview.h"

#include "base/count.h"
#include "cli/cluster.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/names.h"
#include "cli/objects_file.h"
#include "cli/preview_operand.h"
#include "cli/terminal.h"
#include "manifest/inputs.h"
#include "merge/schema.h"
#include "preview/custom_types.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The latter two show an object, if there is one. */
enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_DIFF, FORMAT_OBJECT };

struct options {
    struct cluster_options cluster;
    struct names files;
    struct names crds;
    bool is_recursive;
    const char *live;
    const char *previous;
    enum preview_applier applier;
    const char *manager;
    bool is_forced;
    const char *policy_path;
    enum format format;
    enum action fail_on;
};

struct run {
    const struct options *options;
    const struct operands *operands;
    bool *are_found; /* which of the operands manifests are of */
    /* The live object that an operand names, without manifests; NULL: it is that of a manifest. */
    const struct manifest_object *named;
    bool is_partial; /* its manifest is what the manager still owns */
    const struct policy *policy;
    struct file_objects *live;
    struct file_objects *previous;
    struct kube_client *client; /* NULL: the cluster was not asked yet */
    struct custom_types types;
    struct arena *arena; /* of one object */
    struct arena *kept;  /* of the run */
    int64_t now;
    size_t printed;
    bool has_colour;
    bool has_found;  /* something at --fail-on, or that the API server refuses */
    bool has_failed; /* an input could not be read */
};

static const char *set_format(const char *value, void *field)
{
    static const char *const names[] = {
        [FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", [FORMAT_DIFF] = "diff", [FORMAT_OBJECT] = "object"};
    for (size_t i = 0; i < COUNT(names); i++) {
        if (strcmp(value, names[i]) == 0) {
            *(enum format *)field = (enum format)i;
            return NULL;
        }
    }
    return flag_no_choice;
}

static const char *set_applier(const char *value, void *field)
{
    static const char *const names[] = {
        [PREVIEW_KUBECTL] = "kubectl", [PREVIEW_KUBECTL_SERVER] = "kubectl-server",
        [PREVIEW_HELM] = "helm",       [PREVIEW_FLUX] = "flux",
        [PREVIEW_ARGOCD] = "argocd",
    };
    for (size_t i = 0; i < COUNT(names); i++) {
        if (strcmp(value, names[i]) == 0) {
            *(enum preview_applier *)field = (enum preview_applier)i;
            return NULL;
        }
    }
    return flag_no_choice;
}

static const char *set_fail_on(const char *value, void *field)
{
    enum action action;
    if (!action_parse(slice_of(value), &action) || action < ACTION_AUDIT)
        return flag_no_choice;
    *(enum action *)field = action;
    return NULL;
}

static void say(struct run *run, const char *path, const struct error *error)
{
    file_complain(path, error);
    run->has_failed = true;
}

/* Which object it is about, and where it begins. */
static void say_of_object(
    struct run *run, const char *path, const struct manifest_object *object, const struct error *error)
{
    struct text text = text_start(run->arena, 256);
    struct error named;
    text_append_printable(&text, text_cut(object->kind, 64));
    text_append_string(&text, " ");
    text_append_printable(&text, text_cut(object->namespace, 64));
    text_append_string(&text, object->namespace.length ? "/" : "");
    text_append_printable(&text, text_cut(object->name, 64));
    error_set_at(
        &named, run->named ? 0 : object->root->place.line, object->root->place.column, "%.*s: %s",
        (int)text.length, text.bytes ? text.bytes : "", error->message);
    say(run, path, &named);
}

static struct slice optional(const char *text)
{
    return text ? slice_of(text) : (struct slice){NULL, 0};
}

/* Something at --fail-on; policyAction is what the policy alone would do. */
static bool is_failure(const struct run *run, const struct preview *preview)
{
    const struct verdict *verdict = preview->verdict;
    if (run->options->format == FORMAT_DIFF)
        return preview->after && !preview_is_same(preview);
    bool is_failure = preview->is_refused;
    for (size_t i = 0; verdict && i < verdict->finding_count; i++)
        is_failure |= verdict->findings[i].policy_action >= run->options->fail_on;
    return is_failure;
}

/* False if there is no memory. */
static bool print(struct run *run, const struct preview *preview)
{
    struct text text = text_start(run->arena, 4096);
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

/* The live object of the manifest, from the file or from the cluster. -1 and an error. */
static int find_live(
    struct run *run, const struct manifest_object *object, struct slice *live, struct error *error)
{
    const struct cluster_options *options = &run->options->cluster;
    const struct cluster_object wanted = {object->api_version, object->kind, object->namespace, object->name};
    struct file_content content;
    if (run->named && slice_equal(run->named->api_version, object->api_version)) {
        *live = run->named->json;
        return 0;
    }
    if (run->live) {
        *live = file_objects_find(run->live, object, cluster_namespace(NULL, options));
        return 0;
    }
    if (!object->name.length)
        return 0;
    int result = cluster_find_object(&run->client, options, &wanted, &content, error);
    if (result)
        return result < 0 ? -1 : 0;
    *live = arena_copy(run->arena, (struct slice){content.bytes, content.length});
    free(content.bytes);
    return live->bytes ? 0 : error_set(error, "there is no memory for the live object");
}

/* Of a type that nothing told yet, the cluster's. What it does not tell stays unknown. */
static struct slice find_schema(struct run *run, const struct manifest_object *object)
{
    const struct cluster_object wanted = {object->api_version, object->kind, {NULL, 0}, object->name};
    struct slice schema = custom_types_find(&run->types, object->api_version, object->kind);
    struct schema_ref builtin;
    struct file_content content;
    struct error error = {0};
    if (schema.length || !run->client || schema_find_builtin(object->api_version, object->kind, &builtin) ||
        cluster_find_type(&run->client, &run->options->cluster, &wanted, &content, &error) != 0)
        return schema;
    struct slice text = {content.bytes, content.length};
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    struct manifest_object definition;
    if (reader && manifest_next(reader, &definition, &error) == MANIFEST_OBJECT)
        custom_types_add(&run->types, &definition, run->kept);
    manifest_close(reader);
    free(content.bytes);
    return custom_types_find(&run->types, object->api_version, object->kind);
}

static const struct preview *make(struct run *run, const struct manifest_object *object, struct error *error)
{
    const struct options *options = run->options;
    struct preview_question question = {
        .manifest = object,
        .applier = options->applier,
        .manager = optional(options->manager),
        .is_forced = options->is_forced,
        .is_partial = run->is_partial,
        .has_previous = run->previous != NULL,
        .policy = run->policy,
        .now = run->now,
    };
    if (find_live(run, object, &question.live, error) < 0)
        return NULL;
    if (run->previous)
        question.previous =
            file_objects_find(run->previous, object, cluster_namespace(run->client, &options->cluster));
    question.schema = find_schema(run, object);
    question.namespace = run->named && run->named->namespace.length
        ? run->named->namespace
        : cluster_namespace(run->client, &options->cluster);
    return preview_make(&question, run->arena, error);
}

static void preview_object(struct run *run, const char *path, const struct manifest_object *object)
{
    struct error error = {0};
    arena_reset(run->arena);
    const struct preview *preview = make(run, object, &error);
    if (preview && !preview->after && run->options->format >= FORMAT_DIFF) {
        error_set(&error, "%.*s", (int)preview->refused.items[0].length, preview->refused.items[0].bytes);
        preview = NULL;
    }
    if (preview && !print(run, preview)) {
        error_set(&error, "there is no memory to print all of it");
        preview = NULL;
    }
    if (preview) {
        run->has_found |= is_failure(run, preview);
        return;
    }
    arena_reset(run->arena);
    say_of_object(run, path, object, &error);
}

/* All, or those that the operands name. Where a namespace is given, it is that of the named ones. */
static bool is_wanted(struct run *run, const struct manifest_object *object)
{
    const char *namespace = run->options->cluster.namespace;
    bool is_wanted = !run->operands->count;
    if (namespace && object->namespace.length && !slice_equal(object->namespace, slice_of(namespace)))
        return is_wanted;
    for (int i = 0; i < run->operands->count; i++) {
        if (!operand_is_of(run->operands->items[i], object->api_version, object->kind, object->name))
            continue;
        run->are_found[i] = true;
        is_wanted = true;
    }
    return is_wanted;
}

static void preview_stream(struct run *run, const char *path, int file)
{
    struct manifest_object object;
    struct error error = {0};
    enum manifest_result result;
    struct manifest_reader *reader = manifest_open(manifest_read_file, &file, NULL);
    if (!reader) {
        error_set(&error, "there is no memory");
        say(run, path, &error);
        return;
    }
    while ((result = manifest_next(reader, &object, &error)) != MANIFEST_END) {
        if (result == MANIFEST_ERROR)
            say(run, path, &error);
        else if (is_wanted(run, &object))
            preview_object(run, path, &object);
        error = (struct error){0};
    }
    manifest_close(reader);
}

static bool preview_file(void *context, const char *path, const struct error *error)
{
    struct run *run = context;
    struct error problem = {0};
    if (error) {
        say(run, path, error);
        return true;
    }
    int file = inputs_open(path, &problem);
    if (file < 0) {
        say(run, path, &problem);
        return true;
    }
    preview_stream(run, path, file);
    if (file != STDIN_FILENO)
        close(file);
    return true;
}

/* The only object of a text. NULL and an error; otherwise it lives until the reader is closed. */
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

/* The last apply of a live object, once more. -1 and an error. */
static int apply_again(
    struct run *run, const char *operand, const struct manifest_object *live, struct arena *arena,
    struct error *error)
{
    const struct options *options = run->options;
    const struct preview_question question = {
        .manifest = live,
        .live = live->json,
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

/* The live object as JSON: that of --live, or of the cluster. -1 and an error. */
static int read_named(
    struct run *run, const char *operand, struct arena *arena, struct slice *json, struct error *error)
{
    const struct cluster_options *options = &run->options->cluster;
    struct file_content content;
    if (run->live) {
        *json = file_objects_find_named(run->live, operand, optional(options->namespace));
        return json->bytes
            ? 0
            : error_set(error, "%s", "--live has no such object: compare kind, name and namespace");
    }
    if (cluster_read_named(&run->client, options, operand, &content, error) < 0)
        return -1;
    *json = arena_copy(arena, (struct slice){content.bytes, content.length});
    free(content.bytes);
    return json->bytes ? 0 : error_set(error, "there is no memory for it");
}

/* Nothing but an operand: what was applied last is applied again. */
static void preview_named(struct run *run, const char *operand)
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
        say(run, operand, &error);
    manifest_close(reader);
    arena_destroy(arena);
}

/* A live object that no manifest is of was meant for one of them. */
static void say_what_is_unused(struct run *run)
{
    struct error error = {0};
    arena_reset(run->arena);
    struct slice unused = run->live && !run->has_failed ? file_objects_first_unused(run->live, run->arena)
                                                        : (struct slice){NULL, 0};
    if (!unused.length)
        return;
    error_set(
        &error, "no manifest is of an object in it, such as %.*s: compare kind, name and namespace",
        (int)unused.length, unused.bytes);
    say(run, run->options->live, &error);
}

/* An operand of no manifest, unless a file with it could not be read. */
static void say_what_is_missing(struct run *run)
{
    struct error error;
    bool had_failed = run->has_failed;
    for (int i = 0; i < run->operands->count && !had_failed; i++) {
        if (run->are_found[i])
            continue;
        error_set(&error, "%s", "no manifest is of it: compare kind, name and namespace");
        say(run, run->operands->items[i], &error);
    }
}

/* False, and it was said why, if there is such a file and it cannot be read. */
static bool read_objects(struct run *run, const char *path, struct file_objects **objects)
{
    struct error error = {0};
    if (!path)
        return true;
    *objects = file_objects_read(path, run->kept, &error);
    if (!*objects)
        say(run, path, &error);
    return *objects;
}

static void add_types(struct run *run, const char *path, int file)
{
    struct manifest_object object;
    struct error error = {0};
    enum manifest_result result;
    int added = 0;
    struct manifest_reader *reader = manifest_open(manifest_read_file, &file, NULL);
    while (reader && (result = manifest_next(reader, &object, &error)) != MANIFEST_END) {
        int more = result == MANIFEST_OBJECT ? custom_types_add(&run->types, &object, run->kept) : 0;
        if (result == MANIFEST_ERROR)
            say(run, path, &error);
        added = more < 0 || added < 0 ? -1 : added + more;
    }
    if (!reader || added < 0)
        error_set(&error, "there is no memory");
    else
        error_set(&error, "it holds no CustomResourceDefinition with a schema");
    if (!reader || added <= 0)
        say(run, path, &error);
    manifest_close(reader);
}

static bool read_types_of(void *context, const char *path, const struct error *error)
{
    struct run *run = context;
    struct error problem = {0};
    int file = error ? -1 : inputs_open(path, &problem);
    if (file < 0)
        say(run, path, error ? error : &problem);
    else
        add_types(run, path, file);
    if (file > STDIN_FILENO)
        close(file);
    return true;
}

static int preview_all(struct run *run)
{
    const struct names *files = &run->options->files;
    if (!read_objects(run, run->options->live, &run->live) ||
        !read_objects(run, run->options->previous, &run->previous))
        return EXIT_UNREADABLE;
    for (size_t i = 0; i < run->options->crds.count; i++)
        inputs_walk(run->options->crds.items[i], false, read_types_of, run);
    for (size_t i = 0; i < files->count; i++)
        inputs_walk(files->items[i], run->options->is_recursive, preview_file, run);
    for (int i = 0; !files->count && i < run->operands->count; i++)
        preview_named(run, run->operands->items[i]);
    if (files->count)
        say_what_is_missing(run);
    say_what_is_unused(run);
    /* A reader that went away has all that it wants. */
    if (fflush(stdout) != 0)
        clearerr(stdout);
    return run->has_failed ? EXIT_UNREADABLE : run->has_found ? EXIT_DENIED : 0;
}

static int preview(const struct options *options, const struct operands *operands)
{
    struct policy *policy = file_load_policy(options->policy_path);
    struct run run = {
        .options = options,
        .operands = operands,
        .policy = policy,
        .arena = arena_create(),
        .kept = arena_create(),
        .now = (int64_t)time(NULL),
        .has_colour = terminal_has_colour(),
    };
    int status = EXIT_UNREADABLE;
    if (run.kept)
        run.are_found = arena_allocate_array(run.kept, (size_t)operands->count + 1, sizeof(*run.are_found));
    if (!run.arena || !run.are_found)
        fputs("applyguard preview: there is no memory\n", stderr);
    else if (policy)
        status = preview_all(&run);
    cluster_disconnect(run.client);
    arena_destroy(run.arena);
    arena_destroy(run.kept);
    policy_free(policy);
    return status;
}

/* NULL if it is used rightly. */
static const char *operand_problem(const struct operands *operands)
{
    for (int i = 0; i < operands->count; i++)
        if (!operand_is_valid(operands->items[i]))
            return "has another form than that of deployment/web; name manifests with -f";
    return NULL;
}

static int run_preview(const struct command *command, int argc, char **argv)
{
    struct options options = {.applier = PREVIEW_KUBECTL, .fail_on = ACTION_DENY};
    struct operands operands;
    int status;
    /* A reader that went away is no error. */
    signal(SIGPIPE, SIG_IGN);
    if (command_parse(command, argc, argv, &options, &operands, &status)) {
        const char *problem = operand_problem(&operands);
        if (!operands.count && !options.files.count)
            status = command_misused(
                command, "--filename",
                "is missing: which manifests? Name each with -f; \"-\" is standard input. KIND/NAME is a "
                "live "
                "object, to which its last apply is applied again");
        else if (problem)
            status = command_misused(command, "KIND/NAME", problem);
        else if (
            options.is_forced && (options.applier == PREVIEW_KUBECTL || options.applier == PREVIEW_ARGOCD))
            status = command_misused(
                command, "--force-conflicts",
                "is for a server-side apply: a client-side one takes them anyway");
        else if (options.previous && options.applier != PREVIEW_HELM)
            status = command_misused(
                command, "--previous",
                "is for --applier helm: others find in the cluster what they applied before");
        else
            status = preview(&options, &operands);
    }
    names_release(&options.files);
    names_release(&options.crds);
    cluster_options_release(&options.cluster);
    return status;
}

static const struct flag flags[] = {
    {.name = "filename",
     .letter = 'f',
     .value = "FILE",
     .text = "manifests: a file, a directory, or \"-\" for standard input; may be given several times",
     SETS(names_flag, struct options, files)},
    {.name = "recursive",
     .letter = 'R',
     .text = "read the directories within directories, too",
     SETS(flag_set_true, struct options, is_recursive)},
    {.name = "live",
     .value = "FILE",
     .text = "the live objects with their managedFields (default those of the cluster); what is not among "
             "them would be created",
     SETS(flag_set_string, struct options, live)},
    {.name = "previous",
     .value = "FILE",
     .text = "the manifest of the release before the upgrade, as helm get manifest prints it; with --applier "
             "helm, for a release that Helm upgrades client-side",
     SETS(flag_set_string, struct options, previous)},
    {.name = "applier",
     .value = "kubectl|kubectl-server|helm|flux|argocd",
     .text =
         "who applies, and how (default kubectl, client-side; kubectl-server is kubectl apply --server-side; "
         "helm upgrades as the object was applied before)",
     SETS(set_applier, struct options, applier)},
    {.name = "field-manager",
     .value = "NAME",
     .text = "the field manager that applies (default the applier's own, such as kubectl)",
     SETS(flag_set_string, struct options, manager)},
    {.name = "force-conflicts",
     .text = "take the fields of other managers that conflict",
     SETS(flag_set_true, struct options, is_forced)},
    {.name = "crd",
     .value = "FILE",
     .text = "CustomResourceDefinitions of the manifests' custom resources; may be given several times",
     SETS(names_flag, struct options, crds)},
    {.name = "output",
     .letter = 'o',
     .value = "text|json|diff|object",
     .text = "for people, one line of JSON per object, a unified diff as of kubectl diff, or the object "
             "after the "
             "apply as JSON (default text)",
     SETS(set_format, struct options, format)},
    {.name = "policy",
     .value = "FILE",
     .text = "the policy file; without it the built-in policy (profile baseline)",
     SETS(flag_set_string, struct options, policy_path)},
    {.name = "fail-on",
     .value = "deny|warn|audit",
     .text = "the weakest action that makes the exit status 1 (default deny)",
     SETS(set_fail_on, struct options, fail_on)},
    CLUSTER_FLAGS(struct options),
};

const struct command command_preview = {
    .name = "preview",
    .summary = "Show what an apply would do",
    .synopsis = "[FLAG...] -f MANIFEST [KIND/NAME...]\n[FLAG...] KIND/NAME...",
    .description =
        "Says of each object of the manifests what an apply would do to it: which fields it sets, changes "
        "and "
        "removes, what stays although it is gone from the manifest, and who keeps it, what conflicts with "
        "whom, what other appliers put back, and what the policy says. Nothing is sent.\n\n"
        "The live objects are those of the cluster, or of --live, as kubectl get -o yaml "
        "--show-managed-fields "
        "prints them.\n\n"
        "KIND/NAME, such as deploy/web, takes only this object of the manifests. Without -f the live object "
        "has the manifest: the last-applied annotation, or of a manager that applies server-side what it "
        "still owns. So it shows what the next apply of the same manifest sets back.",
    .operand = "KIND/NAME",
    .exit_status =
        "0; 1 if something was at --fail-on, or the API server would refuse an apply; 2 if an input "
        "or the policy could not be read. With -o diff as of kubectl diff: 0 if nothing differs, 1 if "
        "something does, 2 if there was an error.",
    .flags = flags,
    .flag_count = COUNT(flags),
    .run = run_preview,
};
