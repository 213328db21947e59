/*
 * The policy file: tests/policies/good/NAME.yaml loads, and what it prints loads to the same policy;
 * tests/policies/bad/NAME.yaml is refused with the line that bad/NAME.error holds. Runs at the top of the
 * source tree. With UPDATE_EXPECTED=1 in the environment it writes the .error files again, for their diff to
 * be read.
 */
#include "base/array_size.h"
#include "policy/config/config.h"
#include "policy/judge.h"
#include "policy/rules/definitions.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#define GOOD "tests/policies/good"
#define BAD "tests/policies/bad"
#define USELESS "tests/policies/useless"
#define NOTES "tests/policies/notes"
#define HEAD "apiVersion: applyguard.io/v1\nkind: Policy\n"

/* The caller frees the bytes. */
static struct slice read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be opened", path);
    char *bytes = malloc(2 * POLICY_FILE_BYTES_MAX);
    assert_non_null(bytes);
    size_t length = fread(bytes, 1, 2 * POLICY_FILE_BYTES_MAX, file);
    fclose(file);
    return (struct slice){bytes, length};
}

static struct policy *load_good(struct slice text, const char *name)
{
    struct error error = {0};
    struct policy *policy = policy_load(text, &error);
    if (!policy)
        fail_msg("%s:%u:%u: %s", name, error.line, error.column, error.message);
    return policy;
}

static struct policy *load_text(const char *text)
{
    return load_good(slice_of(text), "policy");
}

/* The caller frees the bytes. */
static struct slice print(const struct policy *policy)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    assert_int_equal(policy_print(policy, out), 0);
    fclose(out);
    return (struct slice){bytes, length};
}

static void assert_same_text(struct slice a, struct slice b)
{
    if (!slice_equal(a, b))
        fail_msg("\"%.*s\" is not \"%.*s\"", (int)a.length, a.bytes, (int)b.length, b.bytes);
}

static void assert_same_texts(const struct slice_list *a, const struct slice_list *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++)
        assert_same_text(a->items[i], b->items[i]);
}

static void assert_same_paths_by_kind(const struct kind_paths_list *a, const struct kind_paths_list *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_same_text(a->items[i].kind, b->items[i].kind);
        assert_same_texts(&a->items[i].paths, &b->items[i].paths);
    }
}

static void assert_same_bindings(const struct manager_bindings *a, const struct manager_bindings *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_same_text(a->items[i].manager, b->items[i].manager);
        assert_same_texts(&a->items[i].users, &b->items[i].users);
        assert_same_texts(&a->items[i].groups, &b->items[i].groups);
        assert_same_texts(&a->items[i].service_accounts, &b->items[i].service_accounts);
    }
}

static void assert_same_scopes(const struct manager_scopes *a, const struct manager_scopes *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_same_text(a->items[i].manager, b->items[i].manager);
        assert_same_texts(&a->items[i].kinds, &b->items[i].kinds);
        assert_same_texts(&a->items[i].allow, &b->items[i].allow);
        assert_same_texts(&a->items[i].deny, &b->items[i].deny);
    }
}

static void assert_same_moves(const struct manager_moves *a, const struct manager_moves *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_same_text(a->items[i].from, b->items[i].from);
        assert_same_text(a->items[i].to, b->items[i].to);
        assert_same_texts(&a->items[i].users, &b->items[i].users);
    }
}

static void assert_same_setting(enum setting_kind kind, const void *a, const void *b)
{
    switch (kind) {
    case SETTING_BYTES:
    case SETTING_PERCENT:
    case SETTING_COUNT:
    case SETTING_DURATION:
        assert_int_equal(*(const size_t *)a, *(const size_t *)b);
        break;
    case SETTING_NAMES:
    case SETTING_PATHS:
        assert_same_texts(a, b);
        break;
    case SETTING_PATHS_BY_KIND:
        assert_same_paths_by_kind(a, b);
        break;
    case SETTING_TAKEOVER:
        assert_memory_equal(a, b, sizeof(enum action[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT]));
        break;
    case SETTING_BINDINGS:
        assert_same_bindings(a, b);
        break;
    case SETTING_LABEL_KEY:
        assert_same_text(*(const struct slice *)a, *(const struct slice *)b);
        break;
    case SETTING_MOVES:
        assert_same_moves(a, b);
        break;
    case SETTING_SCOPES:
        assert_same_scopes(a, b);
        break;
    }
}

static void assert_same_rules(const struct policy *a, const struct policy *b)
{
    for (int i = 0; i < RULE_COUNT; i++) {
        assert_int_equal(a->actions[i], b->actions[i]);
        const struct rule_definition *definition = rule_definitions[i];
        for (size_t j = 0; j < definition->setting_count; j++) {
            const struct setting *setting = &definition->settings[j];
            assert_same_setting(
                setting->kind, (const char *)a->settings[i] + setting->offset,
                (const char *)b->settings[i] + setting->offset);
        }
    }
}

static void assert_same_managers(const struct policy *a, const struct policy *b)
{
    assert_int_equal(a->managers.count, b->managers.count);
    for (size_t i = 0; i < a->managers.count; i++) {
        const struct class_rule *first = &a->managers.items[i], *second = &b->managers.items[i];
        assert_same_text(first->name, second->name);
        assert_int_equal(first->any_operation, second->any_operation);
        assert_int_equal(first->operation, second->operation);
        assert_int_equal(first->any_subresource, second->any_subresource);
        assert_same_text(first->subresource, second->subresource);
        assert_int_equal(first->class, second->class);
    }
}

static void assert_same_labels(const struct label_matches *a, const struct label_matches *b)
{
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        assert_same_text(a->items[i].key, b->items[i].key);
        assert_same_text(a->items[i].value, b->items[i].value);
    }
}

static void assert_same_waivers(const struct policy *a, const struct policy *b)
{
    assert_memory_equal(a->waivable, b->waivable, sizeof(a->waivable));
    assert_memory_equal(a->honoured, b->honoured, sizeof(a->honoured));
    assert_int_equal(a->scoped_waiver_count, b->scoped_waiver_count);
    for (size_t i = 0; i < a->scoped_waiver_count; i++) {
        const struct scoped_waiver *first = &a->scoped_waivers[i], *second = &b->scoped_waivers[i];
        assert_memory_equal(first->rules, second->rules, sizeof(first->rules));
        assert_same_texts(&first->namespaces, &second->namespaces);
        assert_same_texts(&first->kinds, &second->kinds);
        assert_same_texts(&first->names, &second->names);
        assert_same_text(first->reason, second->reason);
        assert_same_text(first->expires, second->expires);
        assert_true(first->expires_at == second->expires_at);
    }
}

static void assert_same_overrides(const struct policy *a, const struct policy *b)
{
    assert_int_equal(a->override_count, b->override_count);
    for (size_t i = 0; i < a->override_count; i++) {
        const struct override *first = &a->overrides[i], *second = &b->overrides[i];
        assert_same_texts(&first->match.namespaces, &second->match.namespaces);
        assert_same_texts(&first->match.kinds, &second->match.kinds);
        assert_same_texts(&first->match.names, &second->match.names);
        assert_same_labels(&first->match.labels, &second->match.labels);
        assert_same_texts(&first->match.users, &second->match.users);
        assert_same_texts(&first->match.groups, &second->match.groups);
        assert_same_texts(&first->match.service_accounts, &second->match.service_accounts);
        assert_same_texts(&first->match.managers, &second->match.managers);
        assert_same_texts(&first->match.operations, &second->match.operations);
        assert_int_equal(first->has_mode, second->has_mode);
        assert_int_equal(first->mode, second->mode);
        assert_memory_equal(first->has_action, second->has_action, sizeof(first->has_action));
        assert_memory_equal(first->actions, second->actions, sizeof(first->actions));
        assert_same_text(first->reason, second->reason);
        assert_same_text(first->expires, second->expires);
        assert_true(first->expires_at == second->expires_at);
    }
}

static void assert_same_policy(const struct policy *a, const struct policy *b)
{
    assert_int_equal(a->mode, b->mode);
    assert_int_equal(a->profile, b->profile);
    assert_same_rules(a, b);
    assert_same_managers(a, b);
    assert_same_overrides(a, b);
    assert_same_waivers(a, b);
}

/* Its output loads to the same policy, and prints the same again. */
static void assert_round_trip(const struct policy *policy, const char *name)
{
    struct slice printed = print(policy);
    struct policy *again = load_good(printed, name);
    assert_same_policy(policy, again);
    struct slice printed_again = print(again);
    assert_same_text(printed_again, printed);
    free((void *)(uintptr_t)printed.bytes);
    free((void *)(uintptr_t)printed_again.bytes);
    policy_free(again);
}

typedef void visit_file(const char *path);

static size_t for_each_file(const char *folder, const char *ending, visit_file *visit)
{
    struct dirent **names;
    int count = scandir(folder, &names, NULL, alphasort);
    if (count < 0)
        fail_msg("%s is not there: run this at the top of the source tree", folder);
    size_t visited = 0;
    for (int i = 0; i < count; i++) {
        struct slice name = slice_of(names[i]->d_name);
        char path[600];
        if (name.length > strlen(ending) &&
            slice_equal(slice_from(name, name.length - strlen(ending)), slice_of(ending))) {
            snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name);
            visit(path);
            visited++;
        }
        free(names[i]);
    }
    free(names);
    return visited;
}

static void check_good_file(const char *path)
{
    struct slice text = read_file(path);
    struct policy *policy = load_good(text, path);
    struct policy_problem item = {0};
    struct policy_problems problems = {.items = &item, .capacity = 1, .least = POLICY_NO_EFFECT};
    policy_free(policy_check(text, &problems));
    if (problems.count)
        fail_msg("%s: %s", path, item.error.message);
    free((void *)(uintptr_t)text.bytes);
    assert_round_trip(policy, path);
    policy_free(policy);
}

/* Everything that the documentation promises can be written, printed and read again. */
static void good_files_load_and_round_trip(void **state)
{
    (void)state;
    assert_true(for_each_file(GOOD, ".yaml", check_good_file) >= 10);
}

/* As many as are reported at once. */
#define PROBLEMS_MAX 100

/* "LINE:COLUMN: MESSAGE" of each problem, as `policy check` prints them; the caller frees the bytes. */
static struct slice list_problems(const struct policy_problems *problems)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    for (size_t i = 0; i < problems->count; i++) {
        const struct policy_problem *problem = &problems->items[i];
        assert_true(strlen(problem->error.message) < sizeof(problem->error.message) - 1);
        fprintf(
            out, "%u:%u: %s%s\n", problem->error.line, problem->error.column,
            problem->kind == POLICY_NOTE ? "note: " : "", problem->error.message);
    }
    if (problems->more)
        fprintf(out, "%zu more\n", problems->more);
    fclose(out);
    return (struct slice){bytes, length};
}

static size_t count_problems(const struct policy_problems *problems, enum policy_problem_kind kind)
{
    size_t count = 0;
    for (size_t i = 0; i < problems->count; i++)
        count += problems->items[i].kind == kind;
    return count;
}

static void error_path(const char *path, char *beside, size_t size)
{
    snprintf(beside, size, "%.*s.error", (int)(strlen(path) - strlen(".yaml")), path);
}

static void write_expected(const char *path, struct slice lines)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(lines.bytes, 1, lines.length, file);
    fclose(file);
}

static void compare_with_expected(const char *path, const struct policy_problems *problems)
{
    char beside[700];
    struct slice lines = list_problems(problems);
    error_path(path, beside, sizeof(beside));
    if (getenv("UPDATE_EXPECTED"))
        write_expected(beside, lines);
    struct slice expected = read_file(beside);
    if (!slice_equal(lines, expected))
        fail_msg(
            "%s\n  expected %.*s  but got  %.*s", path, (int)expected.length, expected.bytes,
            (int)lines.length, lines.bytes);
    free((void *)(uintptr_t)expected.bytes);
    free((void *)(uintptr_t)lines.bytes);
}

/* A server accepts or refuses the file in the same way, with all problems or just the first. */
static void check_load(const char *path, struct slice text, const struct policy_problems *problems)
{
    struct error error = {0};
    struct policy *policy = policy_load(text, &error);
    const struct policy_problem *first = NULL;
    for (size_t i = 0; i < problems->count && !first; i++)
        first = problems->items[i].kind == POLICY_BROKEN ? &problems->items[i] : NULL;
    if ((policy == NULL) != (first != NULL))
        fail_msg("%s loads in one way only", path);
    if (first)
        assert_string_equal(first->error.message, error.message);
    policy_free(policy);
}

static void check_problems(const char *path, enum policy_problem_kind heaviest)
{
    struct policy_problem items[PROBLEMS_MAX];
    struct policy_problems problems = {.items = items, .capacity = PROBLEMS_MAX};
    struct slice text = read_file(path);
    struct policy *policy = policy_check(text, &problems);
    for (int kind = POLICY_BROKEN; kind > (int)heaviest; kind--) {
        if (count_problems(&problems, (enum policy_problem_kind)kind))
            fail_msg("%s has worse problems", path);
    }
    if (!count_problems(&problems, heaviest))
        fail_msg("%s has no such problem", path);
    for (size_t i = 1; i < problems.count; i++) {
        const struct error *a = &items[i - 1].error, *b = &items[i].error;
        assert_true(a->line < b->line || (a->line == b->line && a->column < b->column));
    }
    check_load(path, text, &problems);
    compare_with_expected(path, &problems);
    policy_free(policy);
    free((void *)(uintptr_t)text.bytes);
}

static void check_bad_file(const char *path)
{
    check_problems(path, POLICY_BROKEN);
}

/* Every mistake of a file is reported in its order, with its place and a helpful message, none cut short. */
static void bad_files_are_refused_with_their_place(void **state)
{
    (void)state;
    size_t cases = for_each_file(BAD, ".yaml", check_bad_file);
    assert_true(cases >= 100);
}

static void check_useless_file(const char *path)
{
    check_problems(path, POLICY_NO_EFFECT);
}

/* A pattern that can never match is reported with a suggestion; a server that has such a policy goes on to
 * load it. */
static void useless_parts_are_reported_and_load(void **state)
{
    (void)state;
    assert_true(for_each_file(USELESS, ".yaml", check_useless_file) >= 10);
}

static void check_noted_file(const char *path)
{
    check_problems(path, POLICY_NOTE);
}

/* A setting that may be intended is noted, and not refused. */
static void doubtful_parts_are_noted(void **state)
{
    (void)state;
    assert_true(for_each_file(NOTES, ".yaml", check_noted_file) >= 5);
}

/* A generated file that is wrong throughout gets a bounded answer, from its beginning, and the rest counted.
 */
static void only_the_first_problems_are_reported(void **state)
{
    (void)state;
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    fputs("managers:\n", out);
    for (int i = 0; i < 300; i++)
        fputs("- {name: a, class: none}\n", out);
    fputs(HEAD "mode: none\n", out);
    fclose(out);
    struct policy_problem items[PROBLEMS_MAX];
    struct policy_problems problems = {.items = items, .capacity = PROBLEMS_MAX};
    assert_null(policy_check((struct slice){bytes, length}, &problems));
    assert_int_equal(problems.count, PROBLEMS_MAX);
    assert_int_equal(problems.more, 201);
    for (unsigned i = 0; i < PROBLEMS_MAX; i++)
        assert_int_equal(items[i].error.line, i + 2);
    free(bytes);
}

/* A missing key is found last, and listed first: the problem that it replaces is counted. A profile is read
 * twice, and is one problem. */
static void problems_that_make_room_are_counted(void **state)
{
    (void)state;
    struct policy_problem item;
    struct policy_problems problems = {.items = &item, .capacity = 1};
    assert_null(policy_check(SLICE("kind: Policy\nmode: none\n"), &problems));
    assert_int_equal(item.error.line, 1);
    assert_int_equal(problems.more, 1);
    problems = (struct policy_problems){.items = &item, .capacity = 1};
    assert_null(policy_check(SLICE(HEAD "profile: none\n"), &problems));
    assert_int_equal(item.error.line, 3);
    assert_int_equal(problems.more, 0);
}

/* Notes are no errors, so they must not crowd one out. */
static void notes_hide_no_error(void **state)
{
    (void)state;
    struct policy_problem item;
    struct policy_problems problems = {.items = &item, .capacity = 1};
    const char *text = HEAD "overrides:\n- {match: {users: [a], groups: []}, mode: enforce}\n"
                            "- {match: {namespaces: []}, mode: audit}\n";
    struct policy *policy = policy_check(slice_of(text), &problems);
    assert_non_null(policy);
    assert_int_equal(item.kind, POLICY_NOTE);
    assert_int_equal(problems.more, 1);
    policy_free(policy);
}

static void check_error_has_policy(const char *path)
{
    char policy[700];
    snprintf(policy, sizeof(policy), "%.*s.yaml", (int)(strlen(path) - strlen(".error")), path);
    struct slice text = read_file(policy);
    free((void *)(uintptr_t)text.bytes);
}

/* A case whose policy was renamed would otherwise be lost in silence. */
static void every_expected_error_has_its_policy(void **state)
{
    (void)state;
    assert_true(for_each_file(BAD, ".error", check_error_has_policy) >= 100);
    for_each_file(USELESS, ".error", check_error_has_policy);
    for_each_file(NOTES, ".error", check_error_has_policy);
}

/* Without a file the server judges by this, so it must be what an almost empty file means. */
static void default_policy_is_the_empty_file(void **state)
{
    (void)state;
    struct policy *policy = policy_default();
    struct policy *minimal = load_text(HEAD);
    assert_non_null(policy);
    assert_int_equal(policy->profile, PROFILE_BASELINE);
    assert_int_equal(policy->mode, MODE_ENFORCE);
    assert_same_policy(policy, minimal);
    assert_string_equal(policy->hash, "embedded");
    assert_round_trip(policy, "default");
    policy_free(policy);
    policy_free(minimal);
    policy_free(NULL);
}

static void check_profile(const char *text, enum profile profile)
{
    struct policy *policy = load_text(text);
    assert_int_equal(policy->profile, profile);
    for (int i = 0; i < RULE_COUNT; i++) {
        assert_int_equal(policy->actions[i], rules[i].actions[profile]);
        const struct rule_definition *definition = rule_definitions[i];
        if (definition->settings_size)
            assert_memory_equal(
                policy->settings[i], definition->defaults[profile], definition->settings_size);
    }
    policy_free(policy);
}

/* A profile is the defaults of the table, wherever in the file it is named. */
static void profiles_give_the_defaults_of_the_table(void **state)
{
    (void)state;
    check_profile(HEAD "profile: audit\n", PROFILE_AUDIT);
    check_profile(HEAD "profile: baseline\n", PROFILE_BASELINE);
    check_profile("profile: strict\n" HEAD, PROFILE_STRICT);
    check_profile(HEAD "rules: {}\nprofile: strict\n", PROFILE_STRICT);
}

static enum action cell(
    const struct policy *policy, enum manager_class writer, enum manager_class previous_owner)
{
    const struct rule_definition *definition = rule_definitions[RULE_ownership_conflict];
    for (size_t i = 0; i < definition->setting_count; i++) {
        if (definition->settings[i].kind == SETTING_TAKEOVER) {
            const char *settings = policy->settings[RULE_ownership_conflict];
            enum action cells[OWNING_CLASS_COUNT][OWNING_CLASS_COUNT];
            memcpy(cells, settings + definition->settings[i].offset, sizeof(cells));
            return cells[writer][previous_owner];
        }
    }
    fail_msg("ownership-conflict has no takeover table");
    return ACTION_OFF;
}

/* Written settings override the profile, in both directions; what is not written keeps the profile's word. */
static void written_values_win_over_the_profile(void **state)
{
    (void)state;
    struct policy *policy = load_text(HEAD "rules:\n"
                                           "  ownership-conflict: {takeover: {adhoc-from-applier: off}}\n"
                                           "  explicit-selector: {action: audit}\n"
                                           "profile: strict\n");
    struct policy *strict = load_text(HEAD "profile: strict\n");
    assert_int_equal(cell(policy, CLASS_AD_HOC, CLASS_APPLIER), ACTION_OFF);
    assert_int_equal(policy->actions[RULE_explicit_selector], ACTION_AUDIT);
    for (int i = 0; i < OWNING_CLASS_COUNT * OWNING_CLASS_COUNT; i++) {
        enum manager_class writer = (enum manager_class)(i / OWNING_CLASS_COUNT);
        enum manager_class previous_owner = (enum manager_class)(i % OWNING_CLASS_COUNT);
        if (writer != CLASS_AD_HOC || previous_owner != CLASS_APPLIER)
            assert_int_equal(cell(policy, writer, previous_owner), cell(strict, writer, previous_owner));
    }
    policy_free(policy);
    policy_free(strict);
    policy = load_text(HEAD "profile: audit\nrules: {explicit-selector: {action: deny}}\n");
    assert_int_equal(policy->actions[RULE_explicit_selector], ACTION_DENY);
    policy_free(policy);
}

/* The lines of the file in the words of the struct that judging reads. */
static void managers_say_what_they_match(void **state)
{
    (void)state;
    struct policy *policy = load_text(HEAD "managers:\n"
                                           "- {name: \"ci-*\", operation: Update, class: applier}\n"
                                           "- {name: hpa, subresource: \"\", class: controller}\n");
    assert_int_equal(policy->managers.count, 2);
    assert_same_text(policy->managers.items[0].name, SLICE("ci-*"));
    assert_false(policy->managers.items[0].any_operation);
    assert_int_equal(policy->managers.items[0].operation, MANAGER_UPDATE);
    assert_true(policy->managers.items[0].any_subresource);
    assert_int_equal(policy->managers.items[0].class, CLASS_APPLIER);
    assert_true(policy->managers.items[1].any_operation);
    assert_false(policy->managers.items[1].any_subresource);
    assert_int_equal(policy->managers.items[1].subresource.length, 0);
    assert_int_equal(policy->managers.items[1].class, CLASS_CONTROLLER);
    policy_free(policy);
}

/* An override changes what it names and nothing else. */
static void overrides_change_only_what_they_name(void **state)
{
    (void)state;
    struct policy *policy = load_text(HEAD "overrides:\n"
                                           "- match: {namespaces: [a, \"b-*\"]}\n"
                                           "  rules: {unjudged: {action: off}}\n"
                                           "- match: {serviceAccounts: [a/b]}\n"
                                           "  mode: audit\n");
    const struct override *first = &policy->overrides[0], *second = &policy->overrides[1];
    assert_int_equal(first->match.namespaces.count, 2);
    assert_same_text(first->match.namespaces.items[1], SLICE("b-*"));
    assert_int_equal(first->match.kinds.count, 0);
    assert_false(first->has_mode);
    for (int i = 0; i < RULE_COUNT; i++)
        assert_int_equal(first->has_action[i], i == RULE_unjudged);
    assert_int_equal(first->actions[RULE_unjudged], ACTION_OFF);
    assert_true(first->expires_at == INT64_MAX);
    assert_int_equal(first->expires.length, 0);
    assert_true(second->has_mode);
    assert_int_equal(second->mode, MODE_AUDIT);
    assert_int_equal(second->match.service_accounts.count, 1);
    assert_int_equal(second->match.namespaces.count, 0);
    policy_free(policy);
}

/* Loads a policy with an override that expires then; 0 if that is refused. */
static int64_t expiry_of(int year, int month, int day)
{
    char text[200];
    struct error error = {0};
    snprintf(
        text, sizeof(text), HEAD "overrides:\n- {match: {}, mode: audit, expires: %04d-%02d-%02d}\n", year,
        month, day);
    struct policy *policy = policy_load(slice_of(text), &error);
    int64_t expiry = policy ? policy->overrides[0].expires_at : 0;
    policy_free(policy);
    return expiry;
}

/* The first second of the next day, by the C library's calendar; 0 where that has no such day. */
static int64_t next_day_of(int year, int month, int day)
{
    struct tm date = {.tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day};
    time_t start = timegm(&date);
    bool exists = date.tm_year == year - 1900 && date.tm_mon == month - 1 && date.tm_mday == day;
    return exists ? (int64_t)start + 86400 : 0;
}

/* An override holds through the whole of its last day, UTC; days that no calendar has are refused. */
static void expiry_is_the_end_of_the_day(void **state)
{
    (void)state;
    static const int years[] = {1970, 1971, 1972, 1999, 2000, 2001, 2026, 2027,
                                2028, 2038, 2100, 2101, 2400, 2401, 9999};
    for (size_t i = 0; i < ARRAY_SIZE(years); i++) {
        for (int month = 0; month <= 13; month++) {
            static const int days[] = {0, 1, 28, 29, 30, 31, 32};
            for (size_t j = 0; j < ARRAY_SIZE(days); j++) {
                int64_t expected = next_day_of(years[i], month, days[j]);
                if (expiry_of(years[i], month, days[j]) != expected)
                    fail_msg("wrong for %04d-%02d-%02d", years[i], month, days[j]);
            }
        }
    }
    assert_true(expiry_of(2027, 1, 31) == 1801440000);
}

/* The hash distinguishes two policies in logs, and the same bytes always have the same one (FNV-1a 64). */
static void hash_follows_the_bytes(void **state)
{
    (void)state;
    struct policy *first = load_text(HEAD), *same = load_text(HEAD), *other = load_text(HEAD "# c\n");
    assert_int_equal(strlen(first->hash), 16);
    assert_int_equal(strspn(first->hash, "0123456789abcdef"), 16);
    assert_string_equal(first->hash, same->hash);
    assert_string_not_equal(first->hash, other->hash);
    policy_free(first);
    policy_free(same);
    policy_free(other);
}

/* Nobody's typing makes a megabyte. */
static void too_large_files_are_refused(void **state)
{
    (void)state;
    size_t length = POLICY_FILE_BYTES_MAX + 1;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, '#', length);
    memcpy(text, HEAD, strlen(HEAD));
    struct error error = {0};
    assert_null(policy_load((struct slice){text, length}, &error));
    assert_non_null(strstr(error.message, "1048577 bytes"));
    policy_free(load_good((struct slice){text, length - 1}, "largest"));
    free(text);
}

static struct slice documented_example(void)
{
    return read_file(GOOD "/documented-example.yaml");
}

/* The file may be gone as soon as the policy is loaded. */
static void policy_outlives_the_text(void **state)
{
    (void)state;
    struct slice text = documented_example();
    char *copy = malloc(text.length);
    assert_non_null(copy);
    memcpy(copy, text.bytes, text.length);
    struct policy *kept = load_good(text, "example");
    struct policy *policy = load_good((struct slice){copy, text.length}, "example");
    memset(copy, '!', text.length);
    free(copy);
    assert_same_policy(policy, kept);
    policy_free(policy);
    policy_free(kept);
    free((void *)(uintptr_t)text.bytes);
}

/* Any slip of the finger gives a policy that round-trips, or a sentence with a place; never a crash. */
static void single_slips_load_or_are_explained(void **state)
{
    (void)state;
    static const char slips[] = {' ', '\n', '\t', ':', '-', '"', '\'', '[',   '}',
                                 '*', '&',  '!',  '%', '#', 'x', '\0', '\xff'};
    struct slice text = documented_example();
    char *bytes = (char *)(uintptr_t)text.bytes;
    size_t loaded = 0, refused = 0;
    for (size_t i = 0; i < text.length; i++) {
        char original = bytes[i];
        bytes[i] = slips[i % sizeof(slips)];
        struct error error = {0};
        struct policy *policy = policy_load(text, &error);
        if (policy) {
            loaded++;
            assert_round_trip(policy, "slip");
        } else {
            refused++;
            if (!error.line || !error.column || !error.message[0])
                fail_msg("byte %zu: an error without place or words: %s", i, error.message);
        }
        policy_free(policy);
        bytes[i] = original;
    }
    assert_true(loaded > 100);
    assert_true(refused > 100);
    free(bytes);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525 + 1013904223;
    return *seed >> 16;
}

/* Random text as a YAML double-quoted scalar, every character by its escape. */
static void append_random_text(char *text, size_t size, uint32_t *seed)
{
    size_t length = strlen(text);
    length += (size_t)snprintf(text + length, size - length, "\"");
    for (uint32_t count = next_random(seed) % 8; count; count--) {
        uint32_t character = next_random(seed) % (next_random(seed) % 2 ? 0x80 : 0xd800);
        length += (size_t)snprintf(text + length, size - length, "\\u%04x", character);
    }
    snprintf(text + length, size - length, "\"");
}

/* Whatever names, reasons and globs hold, printing must not let it out of its quotes. */
static void random_texts_round_trip(void **state)
{
    (void)state;
    uint32_t seed = 2026;
    for (int i = 0; i < 500; i++) {
        char text[1000] = HEAD "managers:\n- {class: adhoc, name: \"a\", subresource: ";
        append_random_text(text, sizeof(text), &seed);
        strcat(text, "}\noverrides:\n- {mode: warn, match: {users: [");
        append_random_text(text, sizeof(text), &seed);
        strcat(text, ", ");
        append_random_text(text, sizeof(text), &seed);
        strcat(text, "]}, reason: ");
        append_random_text(text, sizeof(text), &seed);
        strcat(text, "}\n");
        struct policy *policy = load_text(text);
        assert_round_trip(policy, "random");
        policy_free(policy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_files_load_and_round_trip),
        cmocka_unit_test(bad_files_are_refused_with_their_place),
        cmocka_unit_test(useless_parts_are_reported_and_load),
        cmocka_unit_test(doubtful_parts_are_noted),
        cmocka_unit_test(only_the_first_problems_are_reported),
        cmocka_unit_test(problems_that_make_room_are_counted),
        cmocka_unit_test(notes_hide_no_error),
        cmocka_unit_test(every_expected_error_has_its_policy),
        cmocka_unit_test(default_policy_is_the_empty_file),
        cmocka_unit_test(profiles_give_the_defaults_of_the_table),
        cmocka_unit_test(written_values_win_over_the_profile),
        cmocka_unit_test(managers_say_what_they_match),
        cmocka_unit_test(overrides_change_only_what_they_name),
        cmocka_unit_test(expiry_is_the_end_of_the_day),
        cmocka_unit_test(hash_follows_the_bytes),
        cmocka_unit_test(too_large_files_are_refused),
        cmocka_unit_test(policy_outlives_the_text),
        cmocka_unit_test(single_slips_load_or_are_explained),
        cmocka_unit_test(random_texts_round_trip),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
