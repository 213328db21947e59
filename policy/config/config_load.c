#include "policy/config/config_load.h"

#include "base/array_size.h"
#include "policy/config/config_reader.h"
#include "policy/config/rule_link.h"

#include <stdio.h>

#define KIND "Policy"

static int read_kind(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    (void)target;
    return config_read_constant(reader, path, node, KIND);
}

static int read_mode(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct policy *policy = target;
    return config_read_mode(reader, path, node, &policy->mode);
}

static int read_profile(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct policy *policy = target;
    if (config_expect_text(reader, path, node, "baseline") < 0)
        return -1;
    const char *names[PROFILE_COUNT];
    for (int i = 0; i < PROFILE_COUNT; i++) {
        names[i] = profile_name((enum profile)i);
        if (slice_equal(node->text, slice_of(names[i]))) {
            policy->profile = (enum profile)i;
            return 0;
        }
    }
    return config_refuse_word(reader, path, node, names, PROFILE_COUNT);
}

static int read_rule_url(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct policy *policy = target;
    if (config_expect_text(reader, path, node, "https://docs.example.com/rules/") < 0)
        return -1;
    const char *problem = rule_url_check(node->text);
    if (problem)
        return config_refuse(reader, path, node, "%s", problem);
    policy->rule_url = node->text;
    return 0;
}

static const struct config_key file_keys[] = {
    {.name = "apiVersion", .read = config_read_api_version, .required = true},
    {.name = "kind", .read = read_kind, .required = true},
    {.name = "mode", .read = read_mode},
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
    static const struct config_keys keys = {
        .keys = file_keys,
        .count = ARRAY_SIZE(file_keys),
        .example = "{apiVersion: " CONFIG_API_VERSION ", kind: " KIND "}",
    };
    struct config_path path = {.key = "profile"};
    const struct yaml_node *profile = yaml_member(root, SLICE("profile"));
    if (profile)
        read_profile(reader, &path, profile, reader->policy);
    set_profile_defaults(reader->policy);
    config_read_map(reader, NULL, root, &keys, reader->policy);
    config_check_rules(reader, root);
    config_check_effect(reader, root);
}

static int load(struct config_reader *reader, struct slice text)
{
    struct policy *policy = reader->policy;
    struct error error = {0};
    if (!policy)
        return config_out_of_memory(reader);
    if (text.length > POLICY_FILE_BYTES_MAX) {
        error_set(
            &error, "the policy file has %zu bytes; at most %zu are read", text.length,
            POLICY_FILE_BYTES_MAX);
        return config_add_problem(reader, POLICY_BROKEN, &error);
    }
    const struct yaml_node *root = yaml_read_on(text, policy->arena, config_add_yaml_problem, reader, &error);
    if (!root)
        return config_add_problem(reader, POLICY_BROKEN, &error);
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
