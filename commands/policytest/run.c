#include "commands/policytest/run.h"

#include "base/json_append.h"
#include "commands/policytest/expected.h"
#include "commands/policytest/input.h"
#include "commands/policytest/synthesized_review.h"
#include "commands/policytest/test_file.h"
#include "manifest/manifest.h"
#include "policy/judge.h"
#include "policy/verdict/encode_finding.h"

/* The first errors of a file are enough to start with. */
#define PROBLEMS_MAX 100

struct run {
    const char *path;
    const struct run_options *options;
    const struct policy *policy;
    struct arena *arena;   /* for the results */
    struct arena *scratch; /* for one case */
    struct policy_test_run *result;
};

/*
 * Problems
 */

static void add_problem(struct run *run, const char *path, const struct error *error)
{
    struct policy_test_run *result = run->result;
    if (!result->problems)
        result->problems = arena_allocate_array(run->arena, PROBLEMS_MAX, sizeof(*result->problems));
    if (result->problems && result->problem_count < PROBLEMS_MAX)
        result->problems[result->problem_count++] = (struct run_problem){path, *error};
    else
        result->more_problems++;
}

static void add_broken(struct run *run, const char *path, const struct policy_problems *problems)
{
    for (size_t i = 0; i < problems->count; i++)
        if (problems->items[i].kind == POLICY_BROKEN)
            add_problem(run, path, &problems->items[i].error);
    run->result->more_problems += problems->more;
}

/*
 * Expected and actual findings
 */

static void append_manager(struct text *text, const struct finding *finding)
{
    struct slice previous_owners[FINDING_PREVIOUS_OWNERS_MAX];
    if (finding->has_writer)
        json_append_member_if_any(text, "taker", finding->writer.name);
    for (size_t i = 0; i < finding->previous_owner_count; i++)
        previous_owners[i] = finding->previous_owners[i].name;
    if (finding->previous_owner_count)
        json_append_list(text, "losers", (struct slice_list){previous_owners, finding->previous_owner_count});
}

/* In the form of a test. */
static struct slice finding_text(const struct finding *finding, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    text_append_string(&text, "{");
    json_append_member_if_any(&text, "rule", slice_of(rules[finding->rule].name));
    json_append_member_if_any(&text, "action", slice_of(action_name(finding->action)));
    if (finding->policy_action != finding->action)
        json_append_member_if_any(&text, "policyAction", slice_of(action_name(finding->policy_action)));
    if (finding->field_count)
        json_append_list(&text, "fields", (struct slice_list){finding->fields, finding->field_count});
    append_manager(&text, finding);
    text_append_string(&text, "}");
    return text_slice(&text);
}

static struct slice expected_text(const struct test_expected *expected, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    text_append_string(&text, "{");
    json_append_member_if_any(&text, "rule", slice_of(rules[expected->rule].name));
    if (expected->has_action)
        json_append_member_if_any(&text, "action", slice_of(action_name(expected->action)));
    if (expected->has_policy_action)
        json_append_member_if_any(&text, "policyAction", slice_of(action_name(expected->policy_action)));
    if (expected->has_fields)
        json_append_list(&text, "fields", expected->fields);
    if (expected->has_writer)
        json_append_member_if_any(&text, "taker", expected->writer);
    if (expected->has_previous_owners)
        json_append_list(&text, "losers", expected->previous_owners);
    text_append_string(&text, "}");
    return text_slice(&text);
}

/* Each finding of a rule follows the expected finding of that rule. */
static bool add_lines(
    struct run *run, const struct test_case *each, const struct verdict *verdict,
    const struct difference *difference, struct case_result *result)
{
    struct case_line *lines = arena_allocate_array(
        run->arena, difference->missing_count + difference->unexpected_count, sizeof(*lines));
    if (!lines)
        return false;
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        for (size_t i = 0; i < each->expected_count; i++)
            if (difference->is_missing[i] && each->expected[i].rule == (enum rule_id)rule)
                lines[result->line_count++] = (struct case_line){
                    .is_expected = true, .finding = expected_text(&each->expected[i], run->arena)};
        for (size_t i = 0; i < verdict->finding_count; i++)
            if (difference->is_unexpected[i] && verdict->findings[i].rule == (enum rule_id)rule)
                lines[result->line_count++] = (struct case_line){
                    .finding = finding_text(&verdict->findings[i], run->arena),
                    .message = arena_copy(run->arena, verdict->findings[i].message)};
    }
    result->lines = lines;
    return true;
}

static struct slice findings_text(const struct verdict *verdict, struct arena *arena)
{
    struct text text = text_start(arena, 512);
    text_append_string(&text, "[");
    for (size_t i = 0; i < verdict->finding_count; i++) {
        text_append_string(&text, i ? "," : "");
        encode_finding(&text, &verdict->findings[i], true);
    }
    text_append_string(&text, "]");
    return text_slice(&text);
}

/*
 * Inputs
 */

/* "PATH: SENTENCE", at the place where the test names the file. */
static bool refuse_input(const struct run *run, const struct test_input *input, struct error *error)
{
    const struct error found = *error;
    struct slice path = text_printable(run->scratch, input->path);
    struct text place = text_start(run->scratch, 32);
    if (found.line)
        text_append_all(&place, ":", found.line, ":", found.column);
    struct slice where = text_slice(&place);
    path = text_cut(path, 150);
    error_set_at(
        error, input->place.line, input->place.column, "%.*s%.*s: %s", (int)path.length,
        path.bytes ? path.bytes : "", (int)where.length, where.bytes ? where.bytes : "", found.message);
    return false;
}

static bool read_input(
    const struct run *run, const struct test_input *input, struct slice *text, struct error *error)
{
    struct slice path = input_path(run->path, input->path, run->scratch);
    if (!path.bytes)
        error_set_out_of_memory(error);
    else if (input_read(path.bytes, TEST_INPUT_BYTES_MAX, run->scratch, text, error) == 0)
        return true;
    return refuse_input(run, input, error);
}

/* One object of a manifest, and its reader. */
struct read_object {
    struct slice text;
    struct manifest_reader *reader;
    struct manifest_object object;
};

static bool read_only_object(struct read_object *read, struct error *error)
{
    enum manifest_result result = manifest_next(read->reader, &read->object, error);
    if (result == MANIFEST_END)
        error_set(error, "it holds no object");
    return result == MANIFEST_OBJECT;
}

/* Reading the next object would overwrite the first: another reader finds out whether there is one. */
static bool has_one_object(struct slice text, struct error *error)
{
    struct manifest_object object;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    bool is_one = reader && manifest_next(reader, &object, error) == MANIFEST_OBJECT;
    enum manifest_result next = is_one ? manifest_next(reader, &object, error) : MANIFEST_END;
    manifest_close(reader);
    if (next == MANIFEST_OBJECT)
        error_set(error, "it holds several objects; a case is about one");
    return next == MANIFEST_END;
}

/* The caller closes the reader in any case. */
static bool open_object(
    const struct run *run, const struct test_input *input, struct read_object *read, struct error *error)
{
    if (!read_input(run, input, &read->text, error))
        return false;
    if (!has_one_object(read->text, error))
        return refuse_input(run, input, error);
    read->reader = manifest_open(manifest_read_slice, &read->text, NULL);
    if (!read->reader)
        error_set_out_of_memory(error);
    else if (read_only_object(read, error))
        return true;
    return refuse_input(run, input, error);
}

/* Returns NULL and sets the error, with its place. */
static const struct review *make_review(
    const struct run *run, const struct test_case *each, int64_t now, struct error *error)
{
    struct read_object before = {.reader = NULL}, after = {.reader = NULL};
    bool has_before = each->before.path.length;
    const struct review *review = NULL;
    if ((!has_before || open_object(run, &each->before, &before, error)) &&
        open_object(run, &each->after, &after, error)) {
        const struct made_request request = {
            .each = each,
            .before = has_before ? &before.object : NULL,
            .after = &after.object,
            .now = now,
        };
        review = synthesized_review(&request, run->scratch, error);
    }
    manifest_close(before.reader);
    manifest_close(after.reader);
    return review;
}

/* Does the same for a recorded review. */
static const struct review *read_review(
    const struct run *run, const struct test_case *each, const struct judge_options *options,
    struct error *error)
{
    struct slice body = {NULL, 0};
    const struct review *review = NULL;
    if (!read_input(run, &each->review, &body, error))
        return NULL;
    if (judge_decode(body, options, run->scratch, &review, error) == JUDGE_OK)
        return review;
    refuse_input(run, &each->review, error);
    return NULL;
}

/*
 * Cases
 */

static bool judge_case(
    const struct run *run, const struct test_case *each, const struct verdict **verdict, struct error *error)
{
    const struct judge_options options = {
        .ceiling = each->mode, .now = each->has_date ? each->date : run->options->now};
    bool is_recorded = each->review.path.length;
    const struct review *review =
        is_recorded ? read_review(run, each, &options, error) : make_review(run, each, options.now, error);
    if (!review)
        return false;
    if (judge_review(run->policy, review, &options, verdict, error) == JUDGE_OK)
        return true;
    return refuse_input(run, is_recorded ? &each->review : &each->after, error);
}

/* Returns false if memory for the result runs out. */
static bool run_case(struct run *run, const struct test_case *each, struct case_result *result)
{
    const struct verdict *verdict = NULL;
    struct difference difference;
    struct error error = {0};
    *result = (struct case_result){
        .outcome = CASE_UNREADABLE, .name = text_printable(run->arena, each->name), .line = each->place.line};
    if (judge_case(run, each, &verdict, &error)) {
        bool is_same = expected_compare(each, verdict, &difference);
        result->outcome = is_same ? CASE_PASSED : CASE_FAILED;
        result->allowed = verdict->allowed;
        result->allowed_differs = difference.allowed_differs;
        result->findings = findings_text(verdict, run->arena);
        add_lines(run, each, verdict, &difference, result);
    } else {
        result->problem = error;
        result->problem.line = error.line ? error.line : each->place.line;
        result->problem.column = error.line ? error.column : each->place.column;
    }
    arena_reset(run->scratch);
    return !arena_has_failed(run->arena);
}

static bool run_cases(struct run *run, const struct policy_test *test)
{
    struct case_result *results = arena_allocate_array(run->arena, test->case_count, sizeof(*results));
    run->result->results = results;
    for (size_t i = 0; results && i < test->case_count; i++)
        if (!run_case(run, &test->cases[i], &results[run->result->result_count++]))
            return false;
    return results;
}

/*
 * The file
 */

static struct policy *load_policy(struct run *run, const struct test_input *input)
{
    struct policy_problem items[PROBLEMS_MAX];
    struct policy_problems problems = {.items = items, .capacity = PROBLEMS_MAX, .least = POLICY_BROKEN};
    struct slice text;
    struct error error = {0};
    struct slice path = input_path(run->path, input->path, run->arena);
    if (!path.bytes)
        return NULL;
    run->result->policy_path = path.bytes;
    if (input_read(path.bytes, POLICY_FILE_BYTES_MAX, run->scratch, &text, &error) < 0) {
        refuse_input(run, input, &error);
        add_problem(run, run->path, &error);
        return NULL;
    }
    struct policy *policy = policy_check(text, &problems);
    if (!policy)
        add_broken(run, path.bytes, &problems);
    arena_reset(run->scratch);
    return policy;
}

static bool read_test(struct run *run, struct slice text, struct policy_test *test)
{
    struct policy_problem items[PROBLEMS_MAX];
    struct policy_problems problems = {.items = items, .capacity = PROBLEMS_MAX, .least = POLICY_BROKEN};
    if (policy_test_read(text, run->arena, &problems, test))
        return true;
    add_broken(run, run->path, &problems);
    return false;
}

static bool run_test(struct run *run, struct slice text)
{
    struct policy_test test;
    if (!read_test(run, text, &test))
        return true;
    struct policy *own = run->options->policy ? NULL : load_policy(run, &test.policy);
    run->policy = own ? own : run->options->policy;
    bool is_whole = !run->policy || run_cases(run, &test);
    policy_free(own);
    return is_whole;
}

const struct policy_test_run *policy_test_run(
    const char *path, struct slice text, const struct run_options *options, struct arena *arena)
{
    struct policy_test_run *result = arena_allocate_array(arena, 1, sizeof(*result));
    struct run run = {
        .path = path, .options = options, .arena = arena, .scratch = arena_create(), .result = result};
    bool is_whole = result && run.scratch;
    if (is_whole) {
        *result = (struct policy_test_run){.path = path, .policy_path = options->policy_path};
        is_whole = run_test(&run, text) && !arena_has_failed(arena);
    }
    arena_destroy(run.scratch);
    return is_whole ? result : NULL;
}
