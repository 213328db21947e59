#include "policy/analysis/undo_commands.h"

#include "base/json.h"
#include "base/text.h"
#include "manifest/groups.h"
#include "policy/verdict/message_command.h"

static const char any[] = "kubectl edit";
static const char resume[] = "kubectl rollout resume";
static const char set_env[] = "kubectl set env NAME- -c CONTAINER";
static const char label[] = "kubectl label KEY-";
static const char annotate[] = "kubectl annotate KEY-";

static bool is_named(const struct path *path, const char *name)
{
    return path && path->kind == PATH_FIELD && slice_equal(path->text, slice_of(name));
}

static bool is_in_spec(const struct path *path, const char *name)
{
    return path->depth == 2 && is_named(path, name) && is_named(path->parent, "spec");
}

/* A variable of a container that is not an init container, nor one of a custom resource. */
static bool is_variable(const struct review *review, const struct path *path)
{
    return path->depth >= 5 && is_builtin_group(review->group) && is_named(path->parent, "env") &&
        is_named(path->parent->parent->parent, "containers");
}

static struct slice name_of(const struct path *item)
{
    return json_text(json_member(item->json, SLICE("name")));
}

/* The same command for this object alone; empty where the field does not say its arguments. */
static struct slice whole_of(const struct review *review, const struct path *path, const char *command)
{
    const struct slice none = {NULL, 0};
    if (command == set_env)
        return message_command_undo(
            review, "kubectl set env ", name_of(path->parent->parent),
            path->kind == PATH_KEY ? name_of(path) : none);
    if (command == label)
        return message_command_undo(review, "kubectl label ", none, path->text);
    if (command == annotate)
        return message_command_undo(review, "kubectl annotate ", none, path->text);
    return command == resume ? message_command_undo(review, "kubectl rollout resume ", none, none) : none;
}

/* kubectl rollout resumes Deployments alone. */
static const char *command_of(const struct review *review, const struct path *path)
{
    if (slice_equal(review->group_kind, SLICE("Deployment.apps")) && is_in_spec(path, "paused"))
        return resume;
    if (slice_equal(review->group_kind, SLICE("Node")) && is_in_spec(path, "unschedulable"))
        return "kubectl uncordon";
    if (slice_equal(review->group_kind, SLICE("Node")) && is_in_spec(path, "taints"))
        return "kubectl taint KEY-";
    if (is_variable(review, path))
        return set_env;
    if (path_is_in_metadata(path, SLICE("labels")))
        return label;
    return path_is_in_metadata(path, SLICE("annotations")) ? annotate : any;
}

void undo_commands_add(struct undo_commands *commands, const struct review *review, const struct path *path)
{
    const char *command = command_of(review, path);
    commands->whole = commands->count ? SLICE("") : whole_of(review, path, command);
    for (size_t i = 0; i < commands->count && i < UNDO_COMMANDS_MAX; i++)
        if (commands->items[i] == command)
            return;
    if (commands->count < UNDO_COMMANDS_MAX)
        commands->items[commands->count] = command;
    commands->count++;
}

struct slice undo_commands_text(const struct undo_commands *commands, struct arena *arena)
{
    bool is_any = commands->count > UNDO_COMMANDS_MAX;
    for (size_t i = 0; !is_any && i < commands->count; i++)
        is_any = commands->items[i] == any;
    if (is_any)
        return slice_of(any);
    return commands->count == 1 ? slice_of(commands->items[0])
                                : text_join(arena, commands->items[0], " and ", commands->items[1]);
}
