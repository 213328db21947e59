#include "cli/preview_run.h"

#include "cli/commands.h"
#include "cli/each_object.h"
#include "cli/file.h"
#include "cli/message.h"
#include "cli/preview_operand.h"
#include "cli/terminal.h"
#include "manifest/inputs.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* All, or those that the operands name. Where a namespace is given, it is that of the named ones. */
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

/* A live object that no manifest is of was meant for one of them. */
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

/* An operand of no manifest, unless a file with it could not be read. */
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

/* False, and it was said why, if there is such a file and it cannot be read. */
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

static void add_types(struct preview_run *run, const char *path, int file)
{
    struct manifest_object object;
    struct error error = {0};
    enum manifest_result result;
    int added = 0;
    struct manifest_bounded_file input = {file, MANIFEST_FILE_BYTES_MAX};
    struct manifest_reader *reader = manifest_open(manifest_read_bounded_file, &input, NULL);
    while (reader && (result = manifest_next(reader, &object, &error)) != MANIFEST_END) {
        int more = result == MANIFEST_OBJECT ? custom_types_add(&run->types, &object, run->kept) : 0;
        if (result == MANIFEST_ERROR)
            preview_say(run, path, &error);
        added = more < 0 || added < 0 ? -1 : added + more;
    }
    if (!reader || added < 0)
        error_set(&error, "there is no memory");
    else
        error_set(&error, "it holds no CustomResourceDefinition with a schema");
    if (!reader || added <= 0)
        preview_say(run, path, &error);
    manifest_close(reader);
}

static bool read_types_of(void *context, const char *path, const struct error *error)
{
    struct preview_run *run = context;
    struct error problem = {0};
    int file = error ? -1 : inputs_open(path, &problem);
    if (file < 0)
        preview_say(run, path, error ? error : &problem);
    else
        add_types(run, path, file);
    if (file > STDIN_FILENO)
        close(file);
    return true;
}

static int preview_all(struct preview_run *run)
{
    const struct names *files = &run->options->files;
    const struct object_visitor visitor = {visit, complain, run};
    if (!read_objects(run, run->options->live, &run->live) ||
        !read_objects(run, run->options->previous, &run->previous))
        return EXIT_UNREADABLE;
    for (size_t i = 0; i < run->options->crds.count; i++)
        inputs_walk(run->options->crds.items[i], false, read_types_of, run);
    for (size_t i = 0; i < files->count; i++)
        each_object_in(files->items[i], run->options->is_recursive, &visitor);
    for (int i = 0; !files->count && i < run->operands->count; i++)
        preview_named(run, run->operands->items[i]);
    if (files->count)
        say_what_is_missing(run);
    /* Those of a manifest that could not be read, or was not asked for, are none of them. */
    if (run->previous && !run->has_failed && !run->operands->count)
        preview_dropped(run);
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
        requester_say_what_does_not_apply(&options->requester, policy, "preview");
        status = preview_all(&run);
    }
    cluster_disconnect(run.client);
    arena_destroy(run.arena);
    arena_destroy(run.kept);
    policy_free(policy);
    return status;
}
