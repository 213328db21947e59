#include "policy/analysis/document.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

static void append_nearest(struct text *text, const struct document_problem *problem)
{
    if (!problem->nearest)
        return;
    text_append_format(text, "; did you mean %s?", problem->nearest);
}

static void append_version(struct text *text, const struct review *review)
{
    text_append_qualified(text, message_append_name, review->group, review->version);
}

/* YAML reads 80 and true as text only if they have quotes. */
static bool lacks_quotes(const struct document_problem *problem)
{
    return slice_equal(slice_of(problem->must_be), SLICE("string")) &&
        (slice_equal(slice_of(problem->is), SLICE("number")) ||
         slice_equal(slice_of(problem->is), SLICE("boolean")));
}

static void append_problem(
    struct text *text, const struct review *review, const struct document_problem *problem)
{
    switch (problem->kind) {
    case DOCUMENT_UNKNOWN_KIND:
        append_version(text, review);
        text_append_string(text, " has no kind ");
        message_append_name(text, review->kind);
        append_nearest(text, problem);
        break;
    case DOCUMENT_REMOVED_VERSION:
        text_append_format(text, "Kubernetes %s and later do not have ", problem->is);
        message_append_name(text, review->kind);
        text_append_string(text, " in ");
        append_version(text, review);
        text_append_format(text, "; use %s", problem->must_be);
        break;
    case DOCUMENT_UNKNOWN_FIELD:
        message_append_fields(text, &problem->field, 1);
        text_append_string(text, " is unknown");
        append_nearest(text, problem);
        break;
    default:
        message_append_fields(text, &problem->field, 1);
        text_append_format(
            text, " is a %s, and must be a %s%s", problem->is, problem->must_be,
            lacks_quotes(problem) ? "; put it in quotes" : "");
        break;
    }
}

/* A patch is not applied as it is, and another one may replace the version. */
static bool is_left_out(
    const struct review *review, const struct document *document, const struct document_problem *problem)
{
    bool may_change = review->declared_by_other_sources || document->may_be_part;
    return problem->kind == DOCUMENT_SAME_ITEM || (problem->kind == DOCUMENT_REMOVED_VERSION && may_change);
}

static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    for (size_t i = 0; i < document->problems.count; i++) {
        const struct document_problem *problem = &document->problems.items[i];
        struct text text = text_start(review->arena, 160);
        if (is_left_out(review, document, problem))
            continue;
        text_append_string(&text, "the API server refuses this: ");
        append_problem(&text, review, problem);
        verdict_add(
            verdict,
            &(struct finding){
                .rule = RULE_schema,
                .action = ACTION_DENY,
                .is_refused = true,
                .message = text_slice(&text),
                .fields = problem->field.length ? &problem->field : NULL,
                .field_count = problem->field.length != 0,
                .field_total = problem->field.length != 0,
                .line = problem->line,
                .column = problem->column,
            });
    }
}

const struct rule_definition rule_schema = {.judge_document = judge};
