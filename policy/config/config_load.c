#include "policy/config/config_load.h"

#include "base/array_size.h"
#include "policy/config/config_reader.h"
#include "policy/config/rule_link.h"

#include <stdio.h>

#define KIND "Policy"

static int read_kind(const struct config_value *value, void *target)
{
    (void)target;
    return config_read_constant(value, KIND);
}

static int read_profile(const struct config_value *value, void *target)
{
    struct policy *policy = target;
    if (config_expect_text(value, "baseline") < 0)
        return -1;
    if (profile_find(value->node->text, &policy->profile))
        return 0;
    return config_refuse_word(value, profile_names, PROFILE_COUNT);
}

static int read_rule_url(const struct config_value *value, void *target)
{
    struct policy *policy = target;
    if (config_expect_text(value, "https://docs.example.com/rules/") < 0)
        return -1;
    const char *problem = rule_url_check(value->node->text);
    if (problem)
        return config_refuse(value, "%s", problem);
    policy->rule_url = value->node->text;
    return 0;
}

static const struct config_key file_keys[] = {
    {.name = "apiVersion", .read = config_read_api_version, .required = true},
    {.name = "kind", .read = read_kind, .required = true},
    {.name = "mode", .read = config_read_mode, .offset = offsetof(struct policy, mode)},
    {.name = "profile", .read = read_profile},
    {.name = "managers", .read = config_read_managers},
    {.name = "rules", .read = config_read_rules},
    {.name = "overrides", .read = config_read_overrides},
    {.name = "waivers", .read = config_read_waivers},
    {.name = "ruleUrl", .read = read_rule_url},
};

/* FNV-1a: distinguishes policies, but does not resist an attacker who searches for a collision. */
static uint64_t hash_bytes(struct slice text)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.bytes[i]) * 0x100000001b3;
    return hash;
}

static void set_profile_defaults(struct policy *policy)
{
    for (int i = 0; i < RULE_COUNT; i++) {
        policy->actions[i] = rules[i].actions[policy->profile];
        policy->settings[i] = policy->definitions[i]->defaults[policy->profile];
    }
}

static struct policy *policy_create(rule_definitions_table definitions)
{
    struct arena *arena = arena_create();
    struct policy *policy = arena ? arena_allocate_array(arena, 1, sizeof(*policy)) : NULL;
    if (!policy) {
        arena_destroy(arena);
        return NULL;
    }
    policy->arena = arena;
    policy->definitions = definitions;
    policy->mode = MODE_ENFORCE;
    policy->profile = PROFILE_BASELINE;
    set_profile_defaults(policy);
    return policy;
}

/* The profile first: it gives the defaults that the rest of the file changes, wherever it stands. */
static void read_file(struct config_reader *reader, const struct yaml_node *root)
{
    const struct config_value file = {.reader = reader, .node = root};
    static const struct config_keys keys = {
        .keys = file_keys,
        .count = ARRAY_SIZE(file_keys),
        .example = "{apiVersion: " CONFIG_API_VERSION ", kind: " KIND "}",
    };
    const struct config_value profile = config_find(&file, "profile");
    if (profile.node)
        read_profile(&profile, reader->policy);
    set_profile_defaults(reader->policy);
    config_read_map(&file, &keys, reader->policy);
    config_check_rules(&file);
    config_check_effect(&file);
}

static int load(struct config_reader *reader, struct slice text)
{
    struct policy *policy = reader->policy;
    if (!policy)
        return config_out_of_memory(reader);
    const struct yaml_node *root = config_parse(reader, text);
    if (!root)
        return -1;
    read_file(reader, root);
    if (arena_has_failed(policy->arena)) /* then words are missing, if nothing else */
        return config_out_of_memory(reader);
    snprintf(policy->hash, sizeof(policy->hash), "%016llx", (unsigned long long)hash_bytes(text));
    return reader->is_broken ? -1 : 0;
}

struct policy *config_load(
    rule_definitions_table definitions, struct slice text, struct policy_problems *problems)
{
    struct policy *policy = policy_create(definitions);
    struct config_reader reader = {
        .file = "the policy file",
        .reference = "what `applyguard policy show` shows there",
        .arena = policy ? policy->arena : NULL,
        .policy = policy,
        .problems = problems,
    };
    if (load(&reader, text) == 0)
        return policy;
    policy_free(policy);
    return NULL;
}

struct policy *config_default(rule_definitions_table definitions)
{
    struct policy *policy = policy_create(definitions);
    if (policy)
        snprintf(policy->hash, sizeof(policy->hash), "embedded");
    return policy;
}
