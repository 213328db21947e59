#include "base/array_size.h"
#include "policy/config/config_reader.h"

/* Settings of the rules about single managers: who may use a name, which fields it may gain, and whose. */

static int read_manager(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_read_text(reader, path, node, target) < 0)
        return -1;
    if (node->text.length == 0)
        return config_refuse(reader, path, node, "is empty; write \"*\" for every manager");
    config_check_manager(reader, path, node);
    return 0;
}

static const struct config_key binding_keys[] = {
    {"manager", read_manager, offsetof(struct manager_binding, manager), true},
    {"users", config_read_users, offsetof(struct manager_binding, users), false},
    {"groups", config_read_groups, offsetof(struct manager_binding, groups), false},
    {"serviceAccounts", config_read_service_accounts, offsetof(struct manager_binding, service_accounts),
     false},
};

static int read_binding(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_keys keys = {
        .keys = binding_keys,
        .count = ARRAY_SIZE(binding_keys),
        .example = "{manager: argocd-controller, serviceAccounts: [argocd/*]}",
    };
    struct manager_binding *binding = target;
    if (config_read_map(reader, path, node, &keys, binding) < 0)
        return -1;
    if (!binding->users.count && !binding->groups.count && !binding->service_accounts.count)
        return config_refuse(
            reader, path, node,
            "names nobody; give it users, groups or serviceAccounts that may use the name");
    return 0;
}

int config_read_bindings(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct manager_bindings *bindings = target;
    bindings->items =
        config_read_list(reader, path, node, read_binding, sizeof(struct manager_binding), &bindings->count);
    return bindings->items ? 0 : -1;
}

static const struct config_key scope_keys[] = {
    {"manager", read_manager, offsetof(struct manager_scope, manager), true},
    {"kinds", config_read_kinds, offsetof(struct manager_scope, kinds), false},
    {"allow", config_read_owned_paths, offsetof(struct manager_scope, allow), false},
    {"deny", config_read_owned_paths, offsetof(struct manager_scope, deny), false},
};

static int read_scope(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_keys keys = {
        .keys = scope_keys,
        .count = ARRAY_SIZE(scope_keys),
        .example = "{manager: keda, allow: [.spec.replicas]}",
    };
    struct manager_scope *scope = target;
    if (config_read_map(reader, path, node, &keys, scope) < 0)
        return -1;
    if (!scope->allow.count && !scope->deny.count)
        return config_refuse(reader, path, node, "has no paths; give it some to allow or to deny");
    config_check_empty(reader, path, node, SLICE("kinds"), "kinds");
    config_check_empty(reader, path, node, SLICE("allow"), "paths to allow");
    return 0;
}

int config_read_scopes(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct manager_scopes *scopes = target;
    scopes->items =
        config_read_list(reader, path, node, read_scope, sizeof(struct manager_scope), &scopes->count);
    return scopes->items ? 0 : -1;
}

static const struct config_key move_keys[] = {
    {"from", read_manager, offsetof(struct manager_move, from), true},
    {"to", read_manager, offsetof(struct manager_move, to), true},
    {"users", config_read_users, offsetof(struct manager_move, users), false},
};

static int read_move(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_keys keys = {
        .keys = move_keys,
        .count = ARRAY_SIZE(move_keys),
        .example = "{from: my-operator, to: platform}",
    };
    if (config_read_map(reader, path, node, &keys, target) < 0)
        return -1;
    config_check_empty(reader, path, node, SLICE("users"), "users");
    return 0;
}

int config_read_moves(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct manager_moves *moves = target;
    moves->items =
        config_read_list(reader, path, node, read_move, sizeof(struct manager_move), &moves->count);
    return moves->items ? 0 : -1;
}
