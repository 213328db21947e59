#include "commands/replay/groups.h"

#include "base/arena.h"

/* Globs of groups, collected from lists. */
struct group_lists {
    struct slice *items; /* NULL: they are only counted */
    size_t count;
};

static void add(struct group_lists *lists, const struct slice_list *groups)
{
    for (size_t i = 0; i < groups->count; i++) {
        if (lists->items)
            lists->items[lists->count] = groups->items[i];
        lists->count++;
    }
}

static void add_bindings(struct group_lists *lists, const struct manager_bindings *bindings)
{
    for (size_t i = 0; i < bindings->count; i++)
        add(lists, &bindings->items[i].groups);
}

static void add_policy(struct group_lists *lists, const struct policy *policy)
{
    for (size_t i = 0; i < policy->override_count; i++)
        add(lists, &policy->overrides[i].match.groups);
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        const struct rule_definition *definition = policy->definitions[rule];
        for (size_t i = 0; policy->settings[rule] && i < definition->setting_count; i++) {
            const struct setting *setting = &definition->settings[i];
            const char *value = (const char *)policy->settings[rule] + setting->offset;
            if (setting->kind == SETTING_BINDINGS)
                add_bindings(lists, (const struct manager_bindings *)(const void *)value);
        }
    }
}

bool replay_groups(
    const struct policy *policy, const struct policy *other, struct arena *arena, struct slice_list *groups)
{
    struct group_lists lists = {NULL, 0};
    add_policy(&lists, policy);
    if (other)
        add_policy(&lists, other);
    lists.items = arena_allocate_array(arena, lists.count + 1, sizeof(*lists.items));
    if (!lists.items)
        return false;
    lists.count = 0;
    add_policy(&lists, policy);
    if (other)
        add_policy(&lists, other);
    *groups = (struct slice_list){lists.items, lists.count};
    return true;
}
