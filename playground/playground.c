#include "playground/playground.h"

#include "base/json.h"
#include "base/json_append.h"
#include "base/split.h"
#include "commands/check/check.h"
#include "commands/policytest/synthesized_review.h"
#include "policy/judge.h"
#include "policy/verdict/encode.h"

#include <stdlib.h>

struct playground {
    yyjson_val *question;
    const struct policy *policy;
    int64_t now;
    struct arena *arena;
    struct text text;     /* the answer */
    struct text problems; /* the items of its list */
};

static struct slice asked(const struct playground *playground, const char *name)
{
    return json_text(json_member(playground->question, slice_of(name)));
}

static void add_problem(struct playground *playground, const char *of, const struct error *error)
{
    struct text *text = &playground->problems;
    json_append_open(text, NULL, "{");
    json_append_member(text, "of", slice_of(of));
    json_append_number(text, "line", error->line);
    json_append_number(text, "column", error->column);
    json_append_member(text, "message", slice_of(error->message));
    text_append_string(text, "}");
}

/*
 * Manifests
 */

/* The lines of JSON as a list. */
static void append_lines(struct text *text, struct slice lines)
{
    json_append_open(text, "checked", "[");
    for (struct slice rest = lines; rest.length;) {
        struct slice line = split_next(&rest, '\n');
        json_append_comma(text);
        text_append(text, line);
    }
    text_append_string(text, "]");
}

/* Returns false if memory runs out. */
static bool check_into(struct playground *playground, FILE *out, FILE *err)
{
    const struct check_input input = {.path = "-", .has_text = true, .text = asked(playground, "manifest")};
    const struct report_options form = {.format = OUTPUT_JSON, .out = out, .err = err, .version = ""};
    struct check_result result;
    struct check_options options = {
        .policy = playground->policy,
        .applier = {.now = playground->now},
        .follows_appliers = true,
        .inputs = &input,
        .input_count = 1,
        .threads = 1,
        .fail_on = ACTION_DENY,
        .report = report_begin(&form),
    };
    if (!options.report)
        return false;
    bool is_whole = check_run(&options, &result);
    return report_end(options.report, &result.summary) == 0 && is_whole;
}

static void check(struct playground *playground)
{
    char *lines = NULL, *messages = NULL;
    size_t length = 0, message_length = 0;
    FILE *out = open_memstream(&lines, &length), *err = open_memstream(&messages, &message_length);
    bool is_whole = out && err && check_into(playground, out, err);
    is_whole &= out && fclose(out) == 0;
    is_whole &= err && fclose(err) == 0;
    if (is_whole)
        append_lines(&playground->text, (struct slice){lines, length});
    else
        playground->text.failed = true;
    free(lines);
    free(messages);
}

/*
 * Verdicts
 */

/* The place of the finding's first field, or of the deepest part of its path that is there. */
static struct manifest_place place_of(const struct finding *finding, const struct manifest_node *object)
{
    if (!object || !finding->field_count)
        return (struct manifest_place){0};
    struct manifest_found found = manifest_find(object, finding->fields[0]);
    return found.node ? found.place : found.nearest_place;
}

/* `object` is the one in which fields have places; NULL: none. */
static void append_verdict(
    struct playground *playground, const struct verdict *verdict, const struct manifest_node *object)
{
    struct text *text = &playground->text;
    struct slice line = encode_verdict(verdict, SLICE("-"), playground->arena);
    if (!line.bytes) {
        text->failed = true;
        return;
    }
    json_append_key(text, "verdict");
    text_append(text, slice_until(line, slice_find(line, '\n')));
    json_append_open(text, "places", "[");
    for (size_t i = 0; i < verdict->finding_count; i++) {
        struct manifest_place place = place_of(&verdict->findings[i], object);
        json_append_open(text, NULL, "{");
        json_append_number(text, "line", place.line);
        json_append_number(text, "column", place.column);
        text_append_string(text, "}");
    }
    text_append_string(text, "]");
}

static struct judge_options judge_options(const struct playground *playground)
{
    return (struct judge_options){.ceiling = MODE_ENFORCE, .now = playground->now};
}

/* A review, in which places are found if it can be read as a manifest, too. */
static void judge_text(struct playground *playground)
{
    struct slice text = asked(playground, "review"), rest = text;
    const struct judge_options options = judge_options(playground);
    const struct verdict *verdict = NULL;
    struct error error = {0};
    if (judge(playground->policy, text, &options, playground->arena, &verdict, &error) != JUDGE_OK) {
        add_problem(playground, "review", &error);
        return;
    }
    struct manifest_object object;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &rest, NULL);
    bool is_read = reader && manifest_next(reader, &object, &error) == MANIFEST_OBJECT;
    const struct manifest_node *request = is_read ? manifest_member(object.root, SLICE("request")) : NULL;
    append_verdict(playground, verdict, manifest_member(request, SLICE("object")));
    manifest_close(reader);
}

/*
 * Changes
 */

static const struct manifest_object *read_object(
    struct playground *playground, const char *of, struct slice *text, struct manifest_object *object,
    struct manifest_reader **reader)
{
    struct error error = {0};
    *reader = manifest_open(manifest_read_slice, text, NULL);
    enum manifest_result result = *reader ? manifest_next(*reader, object, &error) : MANIFEST_ERROR;
    if (result == MANIFEST_OBJECT)
        return object;
    if (result == MANIFEST_END)
        error_set(&error, "it holds no object");
    else if (!*reader)
        error_set_out_of_memory(&error);
    add_problem(playground, of, &error);
    return NULL;
}

static struct test_manager manager_of(
    const struct playground *playground, const char *name, const char *operation)
{
    struct slice how = asked(playground, operation);
    return (struct test_manager){
        .name = asked(playground, name),
        .operation = slice_equal(how, SLICE("Apply")) ? TEST_APPLY
            : slice_equal(how, SLICE("Update"))       ? TEST_UPDATE
                                                      : TEST_CLIENT_SIDE_APPLY,
    };
}

static void judge_change(
    struct playground *playground, const struct manifest_object *before, const struct manifest_object *after)
{
    const struct test_manager owner = manager_of(playground, "owner", "owner_operation");
    const struct manifest_node *entries = before
        ? manifest_member(manifest_member(before->root, SLICE("metadata")), SLICE("managedFields"))
        : NULL;
    const struct test_case each = {
        .writer = manager_of(playground, "manager", "operation"),
        .owners = &owner,
        .owner_count = before && !entries && owner.name.length ? 1 : 0,
        .namespace = SLICE("default"),
        .mode = MODE_ENFORCE,
    };
    const struct made_request request = {
        .each = &each, .before = before, .after = after, .now = playground->now};
    const struct judge_options options = judge_options(playground);
    const struct verdict *verdict = NULL;
    struct error error = {0};
    const struct review *review = synthesized_review(&request, playground->arena, &error);
    if (review && judge_review(playground->policy, review, &options, &verdict, &error) == JUDGE_OK)
        append_verdict(playground, verdict, after->root);
    else
        add_problem(playground, "after", &error);
}

static void change(struct playground *playground)
{
    struct slice texts[] = {asked(playground, "before"), asked(playground, "after")};
    struct manifest_object objects[2];
    struct manifest_reader *readers[2] = {NULL, NULL};
    bool has_before = texts[0].length;
    const struct manifest_object *before =
        has_before ? read_object(playground, "before", &texts[0], &objects[0], &readers[0]) : NULL;
    const struct manifest_object *after =
        read_object(playground, "after", &texts[1], &objects[1], &readers[1]);
    if (after && (before || !has_before))
        judge_change(playground, before, after);
    manifest_close(readers[0]);
    manifest_close(readers[1]);
}

static void answer(struct playground *playground)
{
    if (asked(playground, "manifest").length)
        check(playground);
    else if (asked(playground, "review").length)
        judge_text(playground);
    else
        change(playground);
}

struct slice playground_answer(struct slice question, int64_t now, struct arena *arena)
{
    struct playground playground = {
        .question = json_parse(question, arena),
        .now = now,
        .arena = arena,
        .text = text_start(arena, 1024),
        .problems = text_start(arena, 256),
    };
    struct error error = {0};
    struct policy *policy = policy_load(asked(&playground, "policy"), &error);
    playground.policy = policy;
    text_append_string(&playground.text, "{");
    if (policy)
        answer(&playground);
    else
        add_problem(&playground, "policy", &error);
    json_append_key(&playground.text, "problems");
    text_append_all(&playground.text, "[", text_slice(&playground.problems), "]}");
    policy_free(policy);
    return playground.problems.failed ? (struct slice){NULL, 0} : text_slice(&playground.text);
}
