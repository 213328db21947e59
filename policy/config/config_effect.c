#include "base/glob.h"
#include "policy/config/config_reader.h"

/*
 * Notes about parts of a policy that have no effect, once all of it is read: parts that others overrule, and
 * rules that have nothing to go by.
 */

/* No field manager's name is as long; and two long patterns take time by their product. */
#define COMPARED_PATTERN_BYTES_MAX 256

/*
 * Whatever the second pattern matches, the first does, too: it matches the second's own text, wildcards
 * included. A ? does not match a *, which can match more than one character.
 */
static bool covers(struct slice first, struct slice second)
{
    if (slice_equal(first, second) || slice_equal(first, SLICE("*")))
        return true;
    return first.length <= COMPARED_PATTERN_BYTES_MAX && second.length <= COMPARED_PATTERN_BYTES_MAX &&
        !(slice_contains(first, '?') && slice_contains(second, '*')) && glob_match(first, second);
}

/* Whatever the second line matches, the first does, too. */
static bool hides(const struct class_rule *first, const struct class_rule *second)
{
    bool operation =
        first->any_operation || (!second->any_operation && first->operation == second->operation);
    bool subresource = first->any_subresource ||
        (!second->any_subresource && slice_equal(first->subresource, second->subresource));
    return operation && subresource && covers(first->name, second->name);
}

/* More are not compared with each other: that takes time by their square. */
#define COMPARED_MANAGERS_MAX 256
#define COMPARED_OVERRIDES_MAX 256

static void check_manager(const struct config_value *manager)
{
    const struct class_rule *class_rules = manager->reader->policy->managers.items;
    for (size_t i = 0; i < manager->index; i++) {
        if (!hides(&class_rules[i], &class_rules[manager->index]))
            continue;
        config_report(
            manager, POLICY_NO_EFFECT,
            "never counts: managers[%zu] matches all that it does, and the first line that matches wins", i);
        return;
    }
}

static void check_managers(const struct config_value *file)
{
    const struct config_value list = config_find(file, "managers");
    const struct yaml_entry *entry = list.node ? list.node->entries : NULL;
    size_t count = file->reader->policy->managers.count;
    /*
     * With a duplicate key, the rules come from the last one and the positions from the first one: the
     * duplicate is reported anyway.
     */
    for (size_t i = 0; i < count && i < COMPARED_MANAGERS_MAX && entry; i++, entry = entry->next) {
        const struct config_value manager = config_item(&list, i, entry->value);
        check_manager(&manager);
    }
}

/* Whether an override before this one may have set another action (of the rule), or another mode. */
static bool changed_before(const struct policy *policy, size_t index, enum rule_id id)
{
    for (size_t i = 0; i < index; i++) {
        if (policy->overrides[i].has_action[id] && policy->overrides[i].actions[id] != policy->actions[id])
            return true;
    }
    return false;
}

static bool lowered_before(const struct policy *policy, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if (policy->overrides[i].has_mode && policy->overrides[i].mode < policy->mode)
            return true;
    }
    return false;
}

static void check_mode(const struct config_value *override)
{
    const struct policy *policy = override->reader->policy;
    const struct config_value value = config_find(override, "mode");
    enum mode mode = policy->overrides[override->index].mode;
    if (!value.node || !policy->overrides[override->index].has_mode || mode < policy->mode ||
        lowered_before(policy, override->index))
        return;
    if (mode > policy->mode)
        config_report(
            &value, POLICY_NOTE, "changes nothing: a mode only lowers, and the policy's own is %s",
            mode_name(policy->mode));
    else
        config_report(&value, POLICY_NOTE, "changes nothing: it is the policy's own mode");
}

static void check_actions(const struct config_value *override)
{
    const struct policy *policy = override->reader->policy;
    const struct config_value all = config_find(override, "rules");
    for (const struct yaml_entry *entry = all.node ? all.node->entries : NULL; entry; entry = entry->next) {
        enum rule_id id;
        if (!rule_find(entry->key->text, &id))
            continue;
        const struct config_value rule = config_member(&all, rules[id].name, entry->value);
        enum action action = policy->overrides[override->index].actions[id];
        if (action == policy->actions[id] && !changed_before(policy, override->index, id))
            config_report(
                &rule, POLICY_NOTE, "changes nothing: the rule's action is %s already",
                action_name(policy->actions[id]));
    }
}

/* Whether the override gives some rule, or all, less than the policy does without it. */
static bool is_milder(const struct policy *policy, const struct override *override)
{
    if (override->has_mode && override->mode < policy->mode)
        return true;
    for (int i = 0; i < RULE_COUNT; i++) {
        if (override->has_action[i] && override->actions[i] < policy->actions[i])
            return true;
    }
    return false;
}

/* Whether manager-identity refuses the name to everybody but those whom a binding lists. */
static bool is_bound(const struct policy *policy, struct slice manager)
{
    const struct manager_bindings *bindings = config_setting(policy, RULE_manager_identity, SETTING_BINDINGS);
    if (policy->actions[RULE_manager_identity] != ACTION_DENY)
        return false;
    for (size_t i = 0; bindings && i < bindings->count; i++) {
        if (covers(bindings->items[i].manager, manager))
            return true;
    }
    return false;
}

/* Names of managers are free text: they are no protection where nothing limits their users. */
static void check_managers_alone(const struct config_value *override)
{
    const struct policy *policy = override->reader->policy;
    const struct override *read = &policy->overrides[override->index];
    const struct override_match *match = &read->match;
    const struct config_value match_value = config_find(override, "match");
    const struct config_value managers = config_find(&match_value, "managers");
    if (!managers.node || match->users.count || match->groups.count || match->service_accounts.count ||
        !is_milder(policy, read))
        return;
    for (size_t i = 0; i < match->managers.count; i++) {
        if (is_bound(policy, match->managers.items[i]))
            continue;
        config_report(
            &managers, POLICY_NOTE,
            "alone protects nothing: anybody can use such a name; add users, groups or serviceAccounts");
        return;
    }
}

/* The later one matches every request, for ever, and sets all that the earlier one does. */
static bool replaces(const struct override *later, const struct override *earlier)
{
    if (!config_matches_all(&later->match) || later->expires_at != INT64_MAX ||
        (earlier->has_mode && !later->has_mode))
        return false;
    for (int i = 0; i < RULE_COUNT; i++) {
        if (earlier->has_action[i] && !later->has_action[i])
            return false;
    }
    return true;
}

static void check_override(const struct config_value *override, size_t replaced_by)
{
    check_mode(override);
    check_actions(override);
    check_managers_alone(override);
    if (replaced_by > override->index)
        config_report(
            override, POLICY_NOTE,
            "never counts: overrides[%zu] matches all requests, and the last one that matches wins",
            replaced_by);
}

/* The last override that replaces this one; its own index: none. */
static size_t find_replacement(const struct policy *policy, size_t index)
{
    for (size_t i = policy->override_count - 1; i > index; i--) {
        if (replaces(&policy->overrides[i], &policy->overrides[index]))
            return i;
    }
    return index;
}

static void check_overrides(const struct config_value *file)
{
    const struct policy *policy = file->reader->policy;
    const struct config_value list = config_find(file, "overrides");
    const struct yaml_entry *entry = list.node ? list.node->entries : NULL;
    if (policy->override_count > COMPARED_OVERRIDES_MAX)
        return;
    for (size_t i = 0; entry && i < policy->override_count; i++, entry = entry->next) {
        const struct config_value override = config_item(&list, i, entry->value);
        check_override(&override, find_replacement(policy, i));
    }
}

/* The setting without which a rule finds nothing; NULL: it has none of that kind. */
static const struct setting *needed_setting(const struct rule_definition *definition)
{
    for (size_t i = 0; i < definition->setting_count; i++) {
        switch (definition->settings[i].kind) {
        case SETTING_BINDINGS:
        case SETTING_SCOPES:
        case SETTING_PATHS_BY_KIND:
        case SETTING_LABEL_KEY:
            return &definition->settings[i];
        default:
            break;
        }
    }
    return NULL;
}

static bool has_paths(const struct kind_paths_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i].paths.count)
            return true;
    }
    return false;
}

static bool is_filled(const struct setting *setting, const void *settings)
{
    const char *value = (const char *)settings + setting->offset;
    switch (setting->kind) {
    case SETTING_BINDINGS:
        return ((const struct manager_bindings *)(const void *)value)->count > 0;
    case SETTING_SCOPES:
        return ((const struct manager_scopes *)(const void *)value)->count > 0;
    case SETTING_PATHS_BY_KIND:
        return has_paths((const void *)value);
    default:
        return ((const struct slice *)(const void *)value)->length > 0;
    }
}

/* A rule that is on finds nothing without its list; one that has it and is off was maybe meant to be on. */
static void check_rule(const struct config_value *all_rules, enum rule_id id)
{
    const struct policy *policy = all_rules->reader->policy;
    const struct setting *setting = needed_setting(policy->definitions[id]);
    struct config_value own = config_find(all_rules, rules[id].name);
    const struct yaml_node *override = config_override_that_switches_on(all_rules->parent, id);
    if (!setting || (!own.node && !override))
        return;
    bool is_on = override || policy->actions[id] != ACTION_OFF;
    bool filled = is_filled(setting, policy->settings[id]);
    if (!is_on && filled && !yaml_member(own.node, SLICE("action")))
        config_report(
            &own, POLICY_NOTE, "has %s, but is off; add action: warn to switch it on", setting->name);
    if (!is_on || filled)
        return;
    own.node = own.node ? own.node : override;
    config_report(
        &own, POLICY_NO_EFFECT, "is on, but finds nothing: it has no %s; add some, or switch it off",
        setting->name);
}

/* The most that the rule does in any request. */
static enum action strongest_action(const struct policy *policy, enum rule_id id)
{
    enum action strongest = policy->actions[id];
    for (size_t i = 0; i < policy->override_count; i++) {
        const struct override *override = &policy->overrides[i];
        if (override->has_action[id] && override->actions[id] > strongest)
            strongest = override->actions[id];
    }
    return strongest;
}

/* The profile's action for a cell, so that a file written by `policy show` gets no note about it. */
static enum action default_of_cell(const enum action *defaults, struct slice name)
{
    for (int i = 0; i < OWNING_CLASS_COUNT * OWNING_CLASS_COUNT; i++) {
        char key[TAKEOVER_KEY_BYTES];
        if (config_takeover_key(key, i / OWNING_CLASS_COUNT, i % OWNING_CLASS_COUNT) &&
            slice_equal(name, slice_of(key)))
            return defaults[i];
    }
    return ACTION_OFF;
}

/* Cells that the file gives an action which the rule's own limits. */
static void check_cells(const struct config_value *table, const enum action *defaults, enum action limit)
{
    for (const struct yaml_entry *entry = table->node->entries; entry; entry = entry->next) {
        enum action action;
        if (!action_parse(entry->value->text, &action) || action <= limit ||
            action == default_of_cell(defaults, entry->key->text))
            continue;
        const struct config_value cell =
            config_member(table, yaml_excerpt(table->reader->arena, entry->key->text), entry->value);
        config_report(
            &cell, POLICY_NOTE, "does no more than %s: the rule's own action limits it", action_name(limit));
    }
}

/* A rule that is off gets no note. */
static void check_takeover(const struct config_value *all_rules, enum rule_id id)
{
    const struct policy *policy = all_rules->reader->policy;
    const struct rule_definition *definition = policy->definitions[id];
    const struct config_value own = config_find(all_rules, rules[id].name);
    enum action limit = strongest_action(policy, id);
    for (size_t i = 0; own.node && limit != ACTION_OFF && i < definition->setting_count; i++) {
        const struct setting *setting = &definition->settings[i];
        const struct config_value table = config_find(&own, setting->name);
        const char *defaults = definition->defaults[policy->profile];
        if (table.node && setting->kind == SETTING_TAKEOVER)
            check_cells(&table, (const void *)(defaults + setting->offset), limit);
    }
}

void config_check_effect(const struct config_value *file)
{
    check_managers(file);
    if (file->reader->is_broken) /* what is missing might be what gives the rest its effect */
        return;
    check_overrides(file);
    const struct config_value all_rules = config_find(file, "rules");
    for (int i = 0; i < RULE_COUNT; i++) {
        check_rule(&all_rules, (enum rule_id)i);
        check_takeover(&all_rules, (enum rule_id)i);
    }
}
