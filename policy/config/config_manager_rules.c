#include "base/array_size.h"
#include "policy/config/config_reader.h"

/* Settings of the rules about single managers: who may use a name, which fields it may gain, and whose. */

static const struct config_key binding_keys[] = {
    {.name = "manager",
     .read = config_read_manager,
     .offset = offsetof(struct manager_binding, manager),
     .required = true},
    {.name = "users", .read_each = config_read_user, .offset = offsetof(struct manager_binding, users)},
    {.name = "groups", .read_each = config_read_group, .offset = offsetof(struct manager_binding, groups)},
    {.name = "serviceAccounts",
     .read_each = config_read_service_account,
     .offset = offsetof(struct manager_binding, service_accounts)},
};

static int read_binding(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        .keys = binding_keys,
        .count = ARRAY_SIZE(binding_keys),
        .example = "{manager: argocd-controller, serviceAccounts: [argocd/*]}",
    };
    struct manager_binding *binding = target;
    if (config_read_map(value, &keys, binding) < 0)
        return -1;
    if (!binding->users.count && !binding->groups.count && !binding->service_accounts.count)
        return config_refuse(
            value, "names nobody; give it users, groups or serviceAccounts that may use the name");
    return 0;
}

int config_read_bindings(const struct config_value *value, void *target)
{
    struct manager_bindings *bindings = target;
    bindings->items = config_read_list(value, read_binding, sizeof(struct manager_binding), &bindings->count);
    return bindings->items ? 0 : -1;
}

static const struct config_key scope_keys[] = {
    {.name = "manager",
     .read = config_read_manager,
     .offset = offsetof(struct manager_scope, manager),
     .required = true},
    {.name = "kinds", .read_each = config_read_kind, .offset = offsetof(struct manager_scope, kinds)},
    {.name = "allow", .read_each = config_read_owned_path, .offset = offsetof(struct manager_scope, allow)},
    {.name = "deny", .read_each = config_read_owned_path, .offset = offsetof(struct manager_scope, deny)},
};

static int read_scope(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        .keys = scope_keys,
        .count = ARRAY_SIZE(scope_keys),
        .example = "{manager: keda, allow: [.spec.replicas]}",
    };
    struct manager_scope *scope = target;
    if (config_read_map(value, &keys, scope) < 0)
        return -1;
    if (!scope->allow.count && !scope->deny.count)
        return config_refuse(value, "has no paths; give it some to allow or to deny");
    config_check_empty(value, SLICE("kinds"), "kinds");
    config_check_empty(value, SLICE("allow"), "paths to allow");
    return 0;
}

int config_read_scopes(const struct config_value *value, void *target)
{
    struct manager_scopes *scopes = target;
    scopes->items = config_read_list(value, read_scope, sizeof(struct manager_scope), &scopes->count);
    return scopes->items ? 0 : -1;
}

static const struct config_key move_keys[] = {
    {.name = "from",
     .read = config_read_manager,
     .offset = offsetof(struct manager_move, from),
     .required = true},
    {.name = "to",
     .read = config_read_manager,
     .offset = offsetof(struct manager_move, to),
     .required = true},
    {.name = "users", .read_each = config_read_user, .offset = offsetof(struct manager_move, users)},
};

static int read_move(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        .keys = move_keys,
        .count = ARRAY_SIZE(move_keys),
        .example = "{from: my-operator, to: platform}",
    };
    if (config_read_map(value, &keys, target) < 0)
        return -1;
    config_check_empty(value, SLICE("users"), "users");
    return 0;
}

int config_read_moves(const struct config_value *value, void *target)
{
    struct manager_moves *moves = target;
    moves->items = config_read_list(value, read_move, sizeof(struct manager_move), &moves->count);
    return moves->items ? 0 : -1;
}
