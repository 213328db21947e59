#include "commands/policytest/test_file.h"

#include "base/array_size.h"
#include "base/words.h"
#include "commands/policytest/expected.h"
#include "policy/config/config_reader.h"

#include <stddef.h>

static struct test_place place_of(const struct yaml_node *node)
{
    return (struct test_place){node->line, node->column};
}

/* A non-empty text. */
static int read_word(const struct config_value *value, void *target)
{
    if (config_read_text(value, target) < 0)
        return -1;
    return value->node->text.length ? 0 : config_refuse(value, "must not be empty");
}

static int read_bool(const struct config_value *value, void *target)
{
    static const char *const words[] = {"true", "false"};
    bool *is_true = target;
    if (config_expect_text(value, "true") < 0)
        return -1;
    *is_true = slice_equal(value->node->text, SLICE("true"));
    if (*is_true || slice_equal(value->node->text, SLICE("false")))
        return 0;
    return config_refuse_word(value, words, ARRAY_SIZE(words));
}

static int read_input(const struct config_value *value, void *target)
{
    struct test_input *input = target;
    input->place = place_of(value->node);
    if (read_word(value, &input->path) < 0)
        return -1;
    if (memchr(value->node->text.bytes, '\0', value->node->text.length))
        return config_refuse(value, "is no name of a file: it holds a NUL");
    return 0;
}

static int read_operation(const struct config_value *value, void *target)
{
    static const char *const names[] = {
        [TEST_APPLY] = "Apply", [TEST_UPDATE] = "Update", [TEST_CLIENT_SIDE_APPLY] = "ClientSideApply"};
    if (config_expect_text(value, "Update") < 0)
        return -1;
    size_t operation;
    if (!word_find(value->node->text, names, ARRAY_SIZE(names), &operation))
        return config_refuse_word(value, names, ARRAY_SIZE(names));
    *(enum test_operation *)target = (enum test_operation)operation;
    return 0;
}

/*
 * Owners
 */

static const struct config_key owner_keys[] = {
    {.name = "manager", .read = read_word, .offset = offsetof(struct test_manager, name), .required = true},
    {.name = "operation",
     .read = read_operation,
     .offset = offsetof(struct test_manager, operation),
     .required = true},
    {.name = "subresource", .read = read_word, .offset = offsetof(struct test_manager, subresource)},
    {.name = "fields", .read_each = config_read_path, .offset = offsetof(struct test_manager, fields)},
};

static int read_owner(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        owner_keys, ARRAY_SIZE(owner_keys), "{manager: argocd-controller, operation: Apply}"};
    struct test_manager *owner = target;
    owner->place = place_of(value->node);
    owner->has_fields = yaml_member(value->node, SLICE("fields"));
    return config_read_map(value, &keys, owner);
}

static int read_owners(const struct config_value *value, void *target)
{
    struct test_case *each = target;
    if (value->node->kind == YAML_KIND_LIST && value->node->count > TEST_OWNERS_MAX)
        return config_refuse(value, "has more than %d items", TEST_OWNERS_MAX);
    each->owners = config_read_list(value, read_owner, sizeof(struct test_manager), &each->owner_count);
    return each->owners ? 0 : -1;
}

/*
 * Cases
 */

/*
 * The case is judged in the last second of the day, when an override that expires on that day is still valid.
 */
static int read_date(const struct config_value *value, void *target)
{
    struct test_case *each = target;
    int64_t end;
    if (config_expect_text(value, "2027-01-31") < 0)
        return -1;
    if (!config_day_end(value->node->text, &end))
        return config_refuse(value, "must be a day YYYY-MM-DD, not \"%s\"", config_excerpt(value));
    each->has_date = true;
    each->date = end - 1;
    return 0;
}

static const struct config_key case_keys[] = {
    {.name = "name", .read = read_word, .offset = offsetof(struct test_case, name)},
    {.name = "review", .read = read_input, .offset = offsetof(struct test_case, review)},
    {.name = "before", .read = read_input, .offset = offsetof(struct test_case, before)},
    {.name = "owners", .read = read_owners},
    {.name = "after", .read = read_input, .offset = offsetof(struct test_case, after)},
    {.name = "manager", .read = read_word, .offset = offsetof(struct test_case, writer.name)},
    {.name = "operation", .read = read_operation, .offset = offsetof(struct test_case, writer.operation)},
    {.name = "fields", .read_each = config_read_path, .offset = offsetof(struct test_case, writer.fields)},
    {.name = "user", .read = read_word, .offset = offsetof(struct test_case, user)},
    {.name = "groups", .read_each = read_word, .offset = offsetof(struct test_case, groups)},
    {.name = "namespace", .read = read_word, .offset = offsetof(struct test_case, namespace)},
    {.name = "mode", .read = config_read_mode, .offset = offsetof(struct test_case, mode)},
    {.name = "date", .read = read_date},
    {.name = "allowed", .read = read_bool, .offset = offsetof(struct test_case, allowed)},
    {.name = "expect", .read = expected_read},
};

/* Refuses keys for facts that a recorded review already has. */
static int refuse_beside_review(const struct config_value *value)
{
    static const char *const names[] = {"before", "owners", "after",  "manager",  "operation",
                                        "fields", "user",   "groups", "namespace"};
    int result = 0;
    for (const struct yaml_entry *entry = value->node->entries; entry; entry = entry->next) {
        const struct config_value at = config_at(value, entry->key);
        if (slice_is_one_of(entry->key->text, names, ARRAY_SIZE(names)))
            result = config_refuse(
                &at, "has a review, which says all of the request; remove \"%s\"", config_excerpt(&at));
    }
    return result;
}

static bool has_key(const struct config_value *map, const char *key)
{
    return yaml_member(map->node, slice_of(key));
}

/*
 * All missing keys of a case are one problem, because they have one place. A text with two keys closes the
 * quotes itself.
 */
static int check_complete(const struct config_value *value, bool is_client_side)
{
    const char *missing[5];
    size_t count = 0;
    bool is_pair = !has_key(value, "review");
    if (!has_key(value, "name"))
        missing[count++] = "name";
    if (is_pair && !has_key(value, "after"))
        missing[count++] = has_key(value, "before") ? "after" : "review\" or \"after";
    bool has_after = is_pair && (has_key(value, "before") || has_key(value, "after"));
    if (has_after && !has_key(value, "manager") && !is_client_side)
        missing[count++] = "manager";
    if (has_after && !has_key(value, "operation"))
        missing[count++] = "operation";
    if (!has_key(value, "expect") && !has_key(value, "allowed"))
        missing[count++] = "expect\" or \"allowed";
    return count ? config_refuse_missing(value, missing, count) : 0;
}

static int check_pair(const struct config_value *value, struct test_case *each)
{
    const struct config_value owners = config_at(value, yaml_member(value->node, SLICE("owners")));
    const struct config_value fields = config_at(value, yaml_member(value->node, SLICE("fields")));
    int result = 0;
    if (owners.node && !has_key(value, "before"))
        result = config_refuse(&owners, "has owners, but no object \"before\" that they own");
    if (fields.node && has_key(value, "operation") && each->writer.operation != TEST_APPLY)
        result = config_refuse(&fields, "has fields, which only the operation Apply declares; remove them");
    each->writer.has_fields = fields.node;
    return result;
}

static int read_case(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        case_keys, ARRAY_SIZE(case_keys), "{name: a first apply, review: create.json, expect: []}"};
    struct test_case *each = target;
    *each = (struct test_case){.place = place_of(value->node), .mode = MODE_ENFORCE};
    if (config_read_map(value, &keys, each) < 0 && value->node->kind != YAML_KIND_MAP)
        return -1;
    bool is_client_side = has_key(value, "operation") && each->writer.operation == TEST_CLIENT_SIDE_APPLY;
    if (is_client_side && !each->writer.name.length)
        each->writer.name = SLICE("kubectl-client-side-apply");
    each->writer.place = each->place;
    each->has_allowed = has_key(value, "allowed");
    int result = check_complete(value, is_client_side);
    int fitting = has_key(value, "review") ? refuse_beside_review(value) : check_pair(value, each);
    return result < 0 ? result : fitting;
}

static int read_cases(const struct config_value *value, void *target)
{
    struct policy_test *test = target;
    if (value->node->kind == YAML_KIND_LIST && !value->node->count)
        return config_refuse(value, "must have at least one case");
    if (value->node->kind == YAML_KIND_LIST && value->node->count > TEST_CASES_MAX)
        return config_refuse(value, "has more than %d cases; write a second file", TEST_CASES_MAX);
    test->cases = config_read_list(value, read_case, sizeof(struct test_case), &test->case_count);
    return test->cases ? 0 : -1;
}

/*
 * The file
 */

static int read_kind(const struct config_value *value, void *target)
{
    (void)target;
    return config_read_constant(value, "PolicyTest");
}

static const struct config_key file_keys[] = {
    {.name = "apiVersion", .read = config_read_api_version, .required = true},
    {.name = "kind", .read = read_kind, .required = true},
    {.name = "policy", .read = read_input, .offset = offsetof(struct policy_test, policy), .required = true},
    {.name = "cases", .read = read_cases, .required = true},
};

bool policy_test_read(
    struct slice text, struct arena *arena, struct policy_problems *problems, struct policy_test *test)
{
    static const struct config_keys keys = {
        file_keys, ARRAY_SIZE(file_keys), "{apiVersion: applyguard.io/v1, kind: PolicyTest}"};
    struct config_reader reader = {
        .file = "the test's file",
        .reference = "what docs/policy-test.md lists",
        .arena = arena,
        .problems = problems,
    };
    *test = (struct policy_test){0};
    return config_read_file(&reader, text, &keys, test);
}
