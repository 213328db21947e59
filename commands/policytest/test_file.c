#include "commands/policytest/test_file.h"

#include "base/array_size.h"
#include "commands/policytest/expected.h"
#include "policy/config/config_reader.h"

#include <stddef.h>

static struct test_place place_of(const struct yaml_node *node)
{
    return (struct test_place){node->line, node->column};
}

/* A non-empty text. */
static int read_word(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_read_text(reader, path, node, target) < 0)
        return -1;
    return node->text.length ? 0 : config_refuse(reader, path, node, "must not be empty");
}

static int read_words(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return config_read_slices(reader, path, node, read_word, target);
}

static int read_bool(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const char *const words[] = {"true", "false"};
    bool *value = target;
    if (config_expect_text(reader, path, node, "true") < 0)
        return -1;
    *value = slice_equal(node->text, SLICE("true"));
    if (*value || slice_equal(node->text, SLICE("false")))
        return 0;
    return config_refuse_word(reader, path, node, words, ARRAY_SIZE(words));
}

static int read_input(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct test_input *input = target;
    input->place = place_of(node);
    if (read_word(reader, path, node, &input->path) < 0)
        return -1;
    if (memchr(node->text.bytes, '\0', node->text.length))
        return config_refuse(reader, path, node, "is no name of a file: it holds a NUL");
    return 0;
}

static int read_operation(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const char *const names[] = {
        [TEST_APPLY] = "Apply", [TEST_UPDATE] = "Update", [TEST_CLIENT_SIDE_APPLY] = "ClientSideApply"};
    if (config_expect_text(reader, path, node, "Update") < 0)
        return -1;
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        if (slice_equal(node->text, slice_of(names[i]))) {
            *(enum test_operation *)target = (enum test_operation)i;
            return 0;
        }
    }
    return config_refuse_word(reader, path, node, names, ARRAY_SIZE(names));
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
    {.name = "fields", .read = config_read_paths, .offset = offsetof(struct test_manager, fields)},
};

static int read_owner(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_keys keys = {
        owner_keys, ARRAY_SIZE(owner_keys), "{manager: argocd-controller, operation: Apply}"};
    struct test_manager *owner = target;
    owner->place = place_of(node);
    owner->has_fields = yaml_member(node, SLICE("fields"));
    return config_read_map(reader, path, node, &keys, owner);
}

static int read_owners(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct test_case *each = target;
    if (node->kind == YAML_KIND_LIST && node->count > TEST_OWNERS_MAX)
        return config_refuse(reader, path, node, "has more than %d items", TEST_OWNERS_MAX);
    each->owners =
        config_read_list(reader, path, node, read_owner, sizeof(struct test_manager), &each->owner_count);
    return each->owners ? 0 : -1;
}

/*
 * Cases
 */

/*
 * The case is judged in the last second of the day, when an override that expires on that day is still valid.
 */
static int read_date(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct test_case *each = target;
    int64_t end;
    if (config_expect_text(reader, path, node, "2027-01-31") < 0)
        return -1;
    if (!config_day_end(node->text, &end))
        return config_refuse(
            reader, path, node, "must be a day YYYY-MM-DD, not \"%s\"",
            yaml_excerpt(reader->arena, node->text));
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
    {.name = "fields", .read = config_read_paths, .offset = offsetof(struct test_case, writer.fields)},
    {.name = "user", .read = read_word, .offset = offsetof(struct test_case, user)},
    {.name = "groups", .read = read_words, .offset = offsetof(struct test_case, groups)},
    {.name = "namespace", .read = read_word, .offset = offsetof(struct test_case, namespace)},
    {.name = "mode", .read = config_read_mode, .offset = offsetof(struct test_case, mode)},
    {.name = "date", .read = read_date},
    {.name = "allowed", .read = read_bool, .offset = offsetof(struct test_case, allowed)},
    {.name = "expect", .read = expected_read},
};

/* Refuses keys for facts that a recorded review already has. */
static int refuse_beside_review(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    static const char *const names[] = {"before", "owners", "after",  "manager",  "operation",
                                        "fields", "user",   "groups", "namespace"};
    int result = 0;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next)
        for (size_t i = 0; i < ARRAY_SIZE(names); i++)
            if (slice_equal(entry->key->text, slice_of(names[i])))
                result = config_refuse(
                    reader, path, entry->key, "has a review, which says all of the request; remove \"%s\"",
                    names[i]);
    return result;
}

static bool has_key(const struct yaml_node *node, const char *key)
{
    return yaml_member(node, slice_of(key));
}

/*
 * All missing keys of a case are one problem, because they have one place. A text with two keys closes the
 * quotes itself.
 */
static int check_complete(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    bool is_client_side)
{
    const char *missing[5];
    size_t count = 0;
    bool is_pair = !has_key(node, "review");
    if (!has_key(node, "name"))
        missing[count++] = "name";
    if (is_pair && !has_key(node, "after"))
        missing[count++] = has_key(node, "before") ? "after" : "review\" or \"after";
    bool has_after = is_pair && (has_key(node, "before") || has_key(node, "after"));
    if (has_after && !has_key(node, "manager") && !is_client_side)
        missing[count++] = "manager";
    if (has_after && !has_key(node, "operation"))
        missing[count++] = "operation";
    if (!has_key(node, "expect") && !has_key(node, "allowed"))
        missing[count++] = "expect\" or \"allowed";
    return count ? config_refuse_missing(reader, path, node, missing, count) : 0;
}

static int check_pair(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    struct test_case *each)
{
    const struct yaml_node *owners = yaml_member(node, SLICE("owners"));
    const struct yaml_node *fields = yaml_member(node, SLICE("fields"));
    int result = 0;
    if (owners && !has_key(node, "before"))
        result = config_refuse(reader, path, owners, "has owners, but no object \"before\" that they own");
    if (fields && has_key(node, "operation") && each->writer.operation != TEST_APPLY)
        result = config_refuse(
            reader, path, fields, "has fields, which only the operation Apply declares; remove them");
    each->writer.has_fields = fields;
    return result;
}

static int read_case(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_keys keys = {
        case_keys, ARRAY_SIZE(case_keys), "{name: a first apply, review: create.json, expect: []}"};
    struct test_case *each = target;
    *each = (struct test_case){.place = place_of(node), .mode = MODE_ENFORCE};
    if (config_read_map(reader, path, node, &keys, each) < 0 && node->kind != YAML_KIND_MAP)
        return -1;
    bool is_client_side = has_key(node, "operation") && each->writer.operation == TEST_CLIENT_SIDE_APPLY;
    if (is_client_side && !each->writer.name.length)
        each->writer.name = SLICE("kubectl-client-side-apply");
    each->writer.place = each->place;
    each->has_allowed = has_key(node, "allowed");
    int result = check_complete(reader, path, node, is_client_side);
    int fitting = has_key(node, "review") ? refuse_beside_review(reader, path, node)
                                          : check_pair(reader, path, node, each);
    return result < 0 ? result : fitting;
}

static int read_cases(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct policy_test *test = target;
    if (node->kind == YAML_KIND_LIST && !node->count)
        return config_refuse(reader, path, node, "must have at least one case");
    if (node->kind == YAML_KIND_LIST && node->count > TEST_CASES_MAX)
        return config_refuse(
            reader, path, node, "has more than %d cases; write a second file", TEST_CASES_MAX);
    test->cases =
        config_read_list(reader, path, node, read_case, sizeof(struct test_case), &test->case_count);
    return test->cases ? 0 : -1;
}

/*
 * The file
 */

static int read_kind(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    (void)target;
    return config_read_constant(reader, path, node, "PolicyTest");
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
    struct error error = {0};
    *test = (struct policy_test){0};
    if (text.length > POLICY_FILE_BYTES_MAX) {
        error_set(
            &error, "the test's file has %zu bytes; at most %zu are read", text.length,
            POLICY_FILE_BYTES_MAX);
        config_add_problem(&reader, POLICY_BROKEN, &error);
        return false;
    }
    const struct yaml_node *root = yaml_read_on(text, arena, config_add_yaml_problem, &reader, &error);
    if (!root)
        config_add_problem(&reader, POLICY_BROKEN, &error);
    else
        config_read_map(&reader, NULL, root, &keys, test);
    if (arena_has_failed(arena))
        config_out_of_memory(&reader);
    return !reader.is_broken;
}
