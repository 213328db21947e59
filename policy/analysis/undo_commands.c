#include "policy/analysis/undo_commands.h"

#include "base/text.h"
#include "manifest/groups.h"

static const char any[] = "kubectl edit";

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

/* kubectl rollout resumes Deployments alone. */
static const char *command_of(const struct review *review, const struct path *path)
{
    if (slice_equal(review->group_kind, SLICE("Deployment.apps")) && is_in_spec(path, "paused"))
        return "kubectl rollout resume";
    if (slice_equal(review->group_kind, SLICE("Node")) && is_in_spec(path, "unschedulable"))
        return "kubectl uncordon";
    if (slice_equal(review->group_kind, SLICE("Node")) && is_in_spec(path, "taints"))
        return "kubectl taint KEY-";
    if (is_variable(review, path))
        return "kubectl set env NAME- -c CONTAINER";
    if (path_is_in_metadata(path, SLICE("labels")))
        return "kubectl label KEY-";
    return path_is_in_metadata(path, SLICE("annotations")) ? "kubectl annotate KEY-" : any;
}

void undo_commands_add(struct undo_commands *commands, const struct review *review, const struct path *path)
{
    const char *command = command_of(review, path);
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
