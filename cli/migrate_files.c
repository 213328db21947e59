#include "cli/migrate_files.h"

#include "base/shell.h"
#include "base/terminal.h"
#include "cli/file.h"
#include "cli/framework/command.h"
#include "cli/framework/message.h"
#include "cli/framework/output.h"
#include "commands/migrate/declare.h"
#include "manifest/each_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct run {
    const struct migrate_files *request;
    struct cluster *cluster;
    struct arena *arena; /* of one object */
    struct arena *kept;
    struct text commands;
    struct text changes; /* for people */
    bool has_failed;
};

bool migrate_is_file(const char *operand)
{
    return access(operand, F_OK) == 0;
}

static void append_name(struct text *text, const struct manifest_object *object)
{
    text_append_all(text, object->kind, " ", as_qualified(text_append, object->namespace, object->name));
}

/* The patch as a command, below what the webhook says about it. */
static int append_patch(struct run *run, const struct migration *migration, struct error *error)
{
    const struct migrate_sending sending = {
        .flags = cluster_flags(run->request->cluster, false, run->arena), .time = (int64_t)time(NULL)};
    struct migrate_answer answer = {0};
    if (migration->plan.is_needed &&
        migrate_judge(migration, run->request->policy, &sending, &answer, error) < 0)
        return -1;
    migrate_append_answer(&run->commands, &answer, run->request->under, "# ");
    return migrate_append_command(&run->commands, migration, &sending, error);
}

/* The live object as the migration of its imperative managers sees it. */
static int add_live(
    struct run *run, const struct manifest_object *manifest, const struct manifest_object *live,
    struct text *changes, struct error *error)
{
    const struct slice_list from = declare_managers(live, run->arena);
    const struct migrate_request request = {.from = from, .to = slice_of(run->request->to)};
    if (!from.items)
        return error_set_out_of_memory(error);
    const struct migration *migration =
        migrate_read(live, &request, &run->request->policy->managers, run->arena, error);
    if (!migration)
        return -1;
    text_append_string(
        changes,
        from.count ? ": the first apply" : ": no imperative command owns its fields; the first apply");
    declare_append_changes(changes, manifest, live, migration);
    return from.count ? append_patch(run, migration, error) : 0;
}

static int read_live(
    struct run *run, const struct manifest_object *manifest, struct slice text, struct text *changes,
    struct error *error)
{
    struct manifest_object live;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    if (!reader)
        return error_set_out_of_memory(error);
    enum manifest_result result = manifest_next(reader, &live, error);
    int status = result == MANIFEST_OBJECT ? add_live(run, manifest, &live, changes, error) : -1;
    manifest_close(reader);
    return status;
}

static int add_object(struct run *run, const struct manifest_object *manifest, struct error *error)
{
    const struct cluster_object wanted = {
        manifest->api_version, manifest->kind, manifest->namespace, manifest->name};
    struct file_content content;
    struct text changes = text_start(run->arena, 1024);
    if (!run->cluster && !(run->cluster = cluster_open(run->request->cluster, error)))
        return -1;
    enum cluster_found found = cluster_find_object(run->cluster, &wanted, &content, error);
    if (found != CLUSTER_FOUND && found != CLUSTER_NO_OBJECT)
        return -1;
    append_name(&changes, manifest);
    int status = 0;
    if (found == CLUSTER_NO_OBJECT) {
        text_append_string(&changes, ": the cluster does not have it; the first apply creates it\n");
    } else {
        status = read_live(run, manifest, file_slice(&content), &changes, error);
        free(content.bytes);
    }
    terminal_append_lines(&run->changes, text_slice(&changes));
    return status < 0 || !arena_has_failed(run->arena) ? status : error_set_out_of_memory(error);
}

static void complain(void *context, const char *path, const struct error *error)
{
    struct run *run = context;
    run->has_failed = true;
    file_complain(path, error);
}

static void visit(void *context, const char *path, const struct manifest_object *object)
{
    struct run *run = context;
    struct error error = {0}, named;
    arena_reset(run->arena);
    if (add_object(run, object, &error) == 0)
        return;
    object_error(object, true, &error, run->arena, &named);
    complain(run, path, &named);
}

static void append_apply(struct run *run, const char *file)
{
    text_append_string(&run->commands, "kubectl apply --server-side");
    if (strcmp(run->request->to, "kubectl") != 0) {
        text_append_string(&run->commands, " --field-manager=");
        shell_append_word(&run->commands, slice_of(run->request->to));
    }
    text_append_string(&run->commands, run->request->is_recursive ? " -R -f " : " -f ");
    shell_append_word(&run->commands, slice_of(file));
    text_append_string(&run->commands, "\n");
}

static int print(struct run *run)
{
    const struct slice commands = text_slice(&run->commands), changes = text_slice(&run->changes);
    if (arena_has_failed(run->kept))
        return message_say_out_of_memory("migrate");
    output_write(stderr, changes);
    if (!run->has_failed)
        output_write(stdout, commands);
    return run->has_failed ? EXIT_UNREADABLE : 0;
}

/* Prints no commands unless all objects could be read. */
int migrate_files(const struct migrate_files *request, const struct operands *files)
{
    struct run run = {.request = request, .arena = arena_create(), .kept = arena_create()};
    const struct object_visitor visitor = {visit, complain, &run};
    int status = EXIT_UNREADABLE;
    if (run.arena && run.kept) {
        run.commands = text_start(run.kept, 1024);
        run.changes = text_start(run.kept, 1024);
        for (int i = 0; i < files->count; i++) {
            each_object_in(files->items[i], request->is_recursive, &visitor);
            append_apply(&run, files->items[i]);
        }
        status = print(&run);
    } else {
        message_say_out_of_memory("migrate");
    }
    cluster_close(run.cluster);
    arena_destroy(run.arena);
    arena_destroy(run.kept);
    return status;
}
