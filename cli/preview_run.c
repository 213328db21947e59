#include "cli/preview_run.h"

#include "base/terminal_output.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/framework/message.h"
#include "commands/preview/operand.h"
#include "manifest/each_object.h"

#include <stdio.h>
#include <time.h>

/*
 * Without operands every object is wanted, otherwise the named ones. Where a namespace is given, it is that
 * of the named ones.
 */
static bool is_wanted(struct preview_run *run, const struct manifest_object *object)
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

static void visit(void *context, const char *path, const struct manifest_object *object)
{
    if (is_wanted(context, object))
        preview_object(context, path, object);
}

static void complain(void *context, const char *path, const struct error *error)
{
    preview_say(context, path, error);
}

/* A live object that belongs to no manifest was probably meant for one of them. */
static void say_what_is_unused(struct preview_run *run)
{
    struct error error = {0};
    arena_reset(run->arena);
    struct slice unused = run->live && !run->has_failed ? file_objects_first_if_unused(run->live, run->arena)
                                                        : (struct slice){NULL, 0};
    if (!unused.length)
        return;
    error_set(
        &error, "no manifest matches its objects, for example %.*s: compare kind, name and namespace",
        (int)unused.length, unused.bytes);
    preview_say(run, run->options->live, &error);
}

/* Reports an operand without a manifest, unless a file that may contain it could not be read. */
static void say_what_is_missing(struct preview_run *run)
{
    struct error error;
    bool had_failed = run->has_failed;
    for (int i = 0; i < run->operands->count && !had_failed; i++) {
        if (run->are_found[i])
            continue;
        error_set(&error, "%s", "no manifest matches it: compare kind, name and namespace");
        preview_say(run, run->operands->items[i], &error);
    }
}

/* Returns false, after printing the error, if the file is given and cannot be read. */
static bool read_objects(struct preview_run *run, const char *path, struct file_objects **objects)
{
    struct error error = {0};
    if (!path)
        return true;
    *objects = file_objects_read(path, run->kept, &error);
    if (!*objects)
        preview_say(run, path, &error);
    return *objects;
}

/* The definitions of --crd: from a file, or from the files of a directory. */
struct definitions {
    struct preview_run *run;
    bool has_any; /* or the missing ones were reported */
};

static void complain_of_definitions(void *context, const char *path, const struct error *error)
{
    struct definitions *definitions = context;
    definitions->has_any = true;
    preview_say(definitions->run, path, error);
}

/* Other objects may be next to them. */
static void add_types(void *context, const char *path, const struct manifest_object *object)
{
    struct definitions *definitions = context;
    struct preview_run *run = definitions->run;
    struct error error = {0};
    int added = custom_types_add(&run->types, object, run->kept);
    definitions->has_any |= added > 0;
    if (added >= 0)
        return;
    error_set(&error, "there is no memory");
    complain_of_definitions(context, path, &error);
}

static void read_definitions(struct preview_run *run, const char *path)
{
    struct definitions definitions = {.run = run};
    const struct object_visitor visitor = {add_types, complain_of_definitions, &definitions};
    struct error error = {0};
    each_object_in(path, false, &visitor);
    if (definitions.has_any)
        return;
    error_set(&error, "it holds no CustomResourceDefinition with a schema");
    preview_say(run, path, &error);
}

static int preview_all(struct preview_run *run)
{
    const struct names *files = &run->options->files;
    const struct object_visitor visitor = {visit, complain, run};
    if (!read_objects(run, run->options->live, &run->live) ||
        !read_objects(run, run->options->previous, &run->previous))
        return EXIT_UNREADABLE;
    for (size_t i = 0; i < run->options->crds.count; i++)
        read_definitions(run, run->options->crds.items[i]);
    for (size_t i = 0; i < files->count; i++)
        each_object_in(files->items[i], run->options->is_recursive, &visitor);
    for (int i = 0; !files->count && i < run->operands->count; i++)
        preview_named(run, run->operands->items[i]);
    if (files->count)
        say_what_is_missing(run);
    /* Objects whose manifest could not be read, or was not asked for, do not count. */
    bool has_all = !run->has_failed && !run->operands->count;
    if (run->options->prunes && has_all)
        preview_pruned(run);
    else if (run->previous && has_all)
        preview_dropped(run);
    if (!run->options->prunes)
        say_what_is_unused(run);
    return run->has_failed ? EXIT_UNREADABLE : run->has_found ? EXIT_DENIED : 0;
}

int preview_run(const struct preview_options *options, const struct operands *operands)
{
    struct policy *policy = file_load_policy(options->policy_path);
    struct preview_run run = {
        .options = options,
        .operands = operands,
        .policy = policy,
        .arena = arena_create(),
        .kept = arena_create(),
        .now = (int64_t)time(NULL),
        .has_colour = terminal_has_colour(),
    };
    int status = EXIT_UNREADABLE;
    if (run.kept) {
        run.are_found = arena_allocate_array(run.kept, (size_t)operands->count + 1, sizeof(*run.are_found));
        run.groups = requester_groups(&options->requester, run.kept);
    }
    if (!run.arena || !run.kept || arena_has_failed(run.kept)) {
        message_say("applyguard preview: there is no memory");
    } else if (policy) {
        warn_unmatchable_overrides(&options->requester, policy, "preview");
        status = preview_all(&run);
    }
    cluster_close(run.cluster);
    arena_destroy(run.arena);
    arena_destroy(run.kept);
    policy_free(policy);
    return status;
}
