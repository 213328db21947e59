#include "base/array_size.h"
#include "base/durations.h"
#include "base/text.h"
#include "policy/config/config_reader.h"

/*
 * Printing is by hand, not by libyaml's emitter: all text from the file is in double quotes, with the escapes
 * that YAML shares with text_append_quotable, so nothing can be read as anything else. The text is built in
 * an arena of its own, since a policy is immutable.
 */

static void append_text(struct text *out, struct slice text)
{
    text_append_string(out, "\"");
    text_append_quotable(out, text);
    text_append_string(out, "\"");
}

static struct text_escaped as_text(struct slice text)
{
    return as_escaped(append_text, text);
}

/* YAML 1.1, which Helm and kubectl read, takes a bare off for a boolean. */
static const char *action_word(enum action action)
{
    return action == ACTION_OFF ? "\"off\"" : action_name(action);
}

/* ["a", "b"] */
static void append_texts(struct text *out, const struct slice_list *list)
{
    text_append_string(out, "[");
    for (size_t i = 0; i < list->count; i++)
        text_append_all(out, i ? ", " : "", as_text(list->items[i]));
    text_append_string(out, "]");
}

/* The texts as a block list under a key that was just written; [] for an empty list. */
static void append_block(struct text *out, const struct slice_list *list, const char *indent)
{
    if (list->count == 0)
        text_append_string(out, " []");
    text_append_string(out, "\n");
    for (size_t i = 0; i < list->count; i++)
        text_append_all(out, indent, "- ", as_text(list->items[i]), "\n");
}

static void append_number(struct text *out, const void *value)
{
    const size_t *number = value;
    text_append_all(out, " ", *number, "\n");
}

/* The texts under a key of a flow map, with the comma before it; nothing for an empty list. */
static void append_texts_member(struct text *out, const char *key, const struct slice_list *list)
{
    if (list->count == 0)
        return;
    text_append_all(out, ", ", key, ": ");
    append_texts(out, list);
}

static void append_bindings(struct text *out, const void *value)
{
    const struct manager_bindings *bindings = value;
    text_append_string(out, bindings->count ? "\n" : " []\n");
    for (size_t i = 0; i < bindings->count; i++) {
        const struct manager_binding *binding = &bindings->items[i];
        text_append_all(out, "    - {manager: ", as_text(binding->manager));
        append_texts_member(out, "users", &binding->users);
        append_texts_member(out, "groups", &binding->groups);
        append_texts_member(out, "serviceAccounts", &binding->service_accounts);
        text_append_string(out, "}\n");
    }
}

static void append_scopes(struct text *out, const void *value)
{
    const struct manager_scopes *scopes = value;
    text_append_string(out, scopes->count ? "\n" : " []\n");
    for (size_t i = 0; i < scopes->count; i++) {
        const struct manager_scope *scope = &scopes->items[i];
        text_append_all(out, "    - {manager: ", as_text(scope->manager));
        append_texts_member(out, "kinds", &scope->kinds);
        append_texts_member(out, "allow", &scope->allow);
        append_texts_member(out, "deny", &scope->deny);
        text_append_string(out, "}\n");
    }
}

static void append_moves(struct text *out, const void *value)
{
    const struct manager_moves *moves = value;
    text_append_string(out, moves->count ? "\n" : " []\n");
    for (size_t i = 0; i < moves->count; i++) {
        text_append_all(
            out, "    - {from: ", as_text(moves->items[i].from), ", to: ", as_text(moves->items[i].to));
        append_texts_member(out, "users", &moves->items[i].users);
        text_append_string(out, "}\n");
    }
}

static void append_names(struct text *out, const void *value)
{
    text_append_string(out, " ");
    append_texts(out, value);
    text_append_string(out, "\n");
}

static void append_duration(struct text *out, const void *value)
{
    const size_t *seconds = value;
    text_append_string(out, " ");
    duration_append_seconds(out, *seconds);
    text_append_string(out, "\n");
}

static void append_line(struct text *out, const void *value)
{
    const struct slice *text = value;
    text_append_all(out, " ", as_text(*text), "\n");
}

static void append_paths(struct text *out, const void *value)
{
    append_block(out, value, "    ");
}

static void append_paths_by_kind(struct text *out, const void *value)
{
    const struct kind_paths_list *list = value;
    text_append_string(out, list->count ? "\n" : " {}\n");
    for (size_t i = 0; i < list->count; i++) {
        text_append_all(out, "      ", as_text(list->items[i].kind), ":");
        append_block(out, &list->items[i].paths, "      ");
    }
}

static void append_takeover(struct text *out, const void *value)
{
    const enum action *cells = value;
    text_append_string(out, "\n");
    for (int writer = 0; writer < OWNING_CLASS_COUNT; writer++) {
        for (int previous_owner = 0; previous_owner < OWNING_CLASS_COUNT; previous_owner++) {
            char key[TAKEOVER_KEY_BYTES];
            if (!config_takeover_key(key, writer, previous_owner))
                continue;
            text_append_all(
                out, "      ", key, ": ", action_word(cells[writer * OWNING_CLASS_COUNT + previous_owner]),
                "\n");
        }
    }
}

static void append_setting(struct text *out, const struct setting *setting, const void *settings)
{
    static void (*const printers[])(struct text *, const void *) = {
        [SETTING_BYTES] = append_number,
        [SETTING_COUNT] = append_number,
        [SETTING_DURATION] = append_duration,
        [SETTING_PERCENT] = append_number,
        [SETTING_NAMES] = append_names,
        [SETTING_PATHS] = append_paths,
        [SETTING_PATHS_BY_KIND] = append_paths_by_kind,
        [SETTING_TAKEOVER] = append_takeover,
        [SETTING_BINDINGS] = append_bindings,
        [SETTING_SCOPES] = append_scopes,
        [SETTING_MOVES] = append_moves,
        [SETTING_LABEL_KEY] = append_line,
    };
    text_append_all(out, "    # ", setting->summary, "\n    ", setting->name, ":");
    printers[setting->kind](out, (const char *)settings + setting->offset);
}

static void append_rules(struct text *out, const struct policy *policy)
{
    text_append_string(out, "rules:\n");
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule *rule = &rules[i];
        text_append_all(
            out, "  # ", rule->summary, "\n  ", rule->name,
            ":\n    action: ", action_word(policy->actions[i]), "\n");
        const struct rule_definition *definition = policy->definitions[i];
        for (size_t j = 0; j < definition->setting_count; j++)
            append_setting(out, &definition->settings[j], policy->settings[i]);
    }
}

static void append_manager(struct text *out, const struct class_rule *rule)
{
    text_append_all(out, "- {name: ", as_text(rule->name));
    if (!rule->any_operation)
        text_append_all(out, ", operation: ", manager_operation_name(rule->operation));
    if (!rule->any_subresource)
        text_append_all(out, ", subresource: ", as_text(rule->subresource));
    text_append_all(out, ", class: ", manager_class_name(rule->class), "}\n");
}

static void append_managers(struct text *out, const struct policy *policy)
{
    text_append_all(
        out, "# tried before the built-in classes of field managers\nmanagers:",
        policy->managers.count ? "\n" : " []\n");
    for (size_t i = 0; i < policy->managers.count; i++)
        append_manager(out, &policy->managers.items[i]);
}

static void append_labels(struct text *out, const char *joint, const struct label_matches *labels)
{
    for (size_t i = 0; i < labels->count; i++)
        text_append_all(
            out, i ? ", " : joint, i ? "" : "labels: {", as_text(labels->items[i].key), ": ",
            as_text(labels->items[i].value));
    text_append_string(out, labels->count ? "}" : "");
}

/* A list that is not there matches all. */
static void append_match(struct text *out, const struct override_match *match)
{
    const struct {
        const char *key;
        const struct slice_list *list;
    } lists[] = {
        {"namespaces", &match->namespaces}, {"kinds", &match->kinds},
        {"names", &match->names},           {"users", &match->users},
        {"groups", &match->groups},         {"serviceAccounts", &match->service_accounts},
        {"managers", &match->managers},     {"operations", &match->operations},
    };
    const char *joint = "";
    text_append_string(out, "- match: {");
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
        if (lists[i].list->count == 0)
            continue;
        text_append_all(out, joint, lists[i].key, ": ");
        append_texts(out, lists[i].list);
        joint = ", ";
    }
    append_labels(out, joint, &match->labels);
    text_append_string(out, "}\n");
}

static void append_override_actions(struct text *out, const struct override *override)
{
    bool any = false;
    for (int i = 0; i < RULE_COUNT; i++) {
        if (!override->has_action[i])
            continue;
        text_append_all(
            out, any ? "    " : "  rules:\n    ", rules[i].name,
            ": {action: ", action_word(override->actions[i]), "}\n");
        any = true;
    }
}

static void append_override(struct text *out, const struct override *override)
{
    append_match(out, &override->match);
    if (override->has_mode)
        text_append_all(out, "  mode: ", mode_name(override->mode), "\n");
    append_override_actions(out, override);
    if (override->reason.length)
        text_append_all(out, "  reason: ", as_text(override->reason), "\n");
    if (override->expires.length)
        text_append_all(out, "  expires: ", as_text(override->expires), "\n");
}

static void append_overrides(struct text *out, const struct policy *policy)
{
    text_append_all(
        out, "# the last one that matches a request and has an action for a rule gives it\noverrides:",
        policy->override_count ? "\n" : " []\n");
    for (size_t i = 0; i < policy->override_count; i++)
        append_override(out, &policy->overrides[i]);
}

/* An item of waivers.scoped. */
static void append_scoped_waiver(struct text *out, const struct scoped_waiver *waiver)
{
    const char *joint = "  - {rules: [";
    for (int i = 0; i < RULE_COUNT; i++) {
        if (!waiver->rules[i])
            continue;
        text_append_all(out, joint, rules[i].name);
        joint = ", ";
    }
    text_append_string(out, "]");
    append_texts_member(out, "namespaces", &waiver->namespaces);
    append_texts_member(out, "kinds", &waiver->kinds);
    append_texts_member(out, "names", &waiver->names);
    if (waiver->reason.length)
        text_append_all(out, ", reason: ", as_text(waiver->reason));
    if (waiver->expires.length)
        text_append_all(out, ", expires: ", as_text(waiver->expires));
    text_append_string(out, "}\n");
}

static void append_waivers(struct text *out, const struct policy *policy)
{
    bool any = false;
    text_append_string(
        out,
        "# rules that the annotation applyguard.io/waive on an object may lower to audit\nwaivers:\n  "
        "rules:");
    for (int i = 0; i < RULE_COUNT; i++) {
        if (!policy->waivable[i])
            continue;
        text_append_all(out, "\n  - ", rules[i].name);
        any = true;
    }
    text_append_all(
        out, any ? "\n" : " []\n",
        "  # tools whose own annotations may lower the conflicts that they allow: argocd, flux, kluctl\n"
        "  honor:");
    any = false;
    for (int i = 0; i < WAIVER_TOOL_COUNT; i++) {
        if (!policy->honoured[i])
            continue;
        text_append_all(out, "\n  - ", waiver_tool_name((enum waiver_tool)i));
        any = true;
    }
    text_append_all(
        out, any ? "\n" : " []\n", "  # rules that it may lower on some objects, until a day\n  scoped:",
        policy->scoped_waiver_count ? "\n" : " []\n");
    for (size_t i = 0; i < policy->scoped_waiver_count; i++)
        append_scoped_waiver(out, &policy->scoped_waivers[i]);
}

int policy_print(const struct policy *policy, FILE *out)
{
    struct arena *arena = arena_create();
    if (!arena)
        return -1;
    struct text text = text_start(arena, 8192);
    text_append_all(
        &text,
        "apiVersion: applyguard.io/v1\nkind: Policy\n"
        "# the strongest action: audit, warn or enforce\nmode: ",
        mode_name(policy->mode),
        "\n"
        "# where the defaults came from: audit, baseline or strict\nprofile: ",
        profile_name(policy->profile), "\n");
    append_managers(&text, policy);
    append_rules(&text, policy);
    append_overrides(&text, policy);
    append_waivers(&text, policy);
    text_append_all(
        &text, "# where the pages of the rules are, for a link in warnings, denials and Events\nruleUrl: ",
        as_text(policy->rule_url), "\n");
    struct slice built = text_slice(&text);
    if (built.bytes)
        fwrite(built.bytes, 1, built.length, out);
    arena_destroy(arena);
    return built.bytes ? 0 : -1;
}
