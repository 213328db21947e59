#include "manifest/variable.h"
#include "policy/analysis/document.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

static void append_nearest(struct text *text, const struct document_problem *problem)
{
    if (!problem->nearest)
        return;
    text_append_all(text, "; did you mean ", problem->nearest, "?");
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
        text_append_all(text, " has no kind ", message_name(review->kind));
        append_nearest(text, problem);
        break;
    case DOCUMENT_REMOVED_VERSION:
        text_append_all(
            text, "Kubernetes ", problem->is, " and later do not have ", message_name(review->kind), " in ");
        append_version(text, review);
        text_append_all(text, "; use ", problem->must_be);
        break;
    case DOCUMENT_UNKNOWN_FIELD:
        text_append_all(text, message_fields(&problem->field, 1), " is unknown");
        append_nearest(text, problem);
        break;
    default:
        text_append_all(
            text, message_fields(&problem->field, 1), " is a ", problem->is, ", and must be a ",
            problem->must_be, lacks_quotes(problem) ? "; put it in quotes" : "");
        break;
    }
}

/*
 * A patch is not applied as it is, and another one may replace the version. A kind such as ${KIND} is
 * unknown.
 */
static bool is_left_out(
    const struct review *review, const struct document *document, const struct document_problem *problem)
{
    bool may_change = review->declared_by_other_sources || document->may_be_part;
    return problem->kind == DOCUMENT_SAME_ITEM ||
        (problem->kind == DOCUMENT_UNKNOWN_KIND && variable_or_template_is_in(review->kind)) ||
        (problem->kind == DOCUMENT_REMOVED_VERSION && may_change);
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
