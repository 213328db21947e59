#include "policy/analysis/combinations.h"
#include "policy/analysis/document.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

struct refusals {
    struct arena *arena;
    struct verdict *verdict;
};

static void refuse(void *context, struct slice path, const char *sentence)
{
    const struct refusals *refusals = context;
    struct slice *field = arena_allocate(refusals->arena, sizeof(*field));
    struct text text = text_start(refusals->arena, 200);
    if (!field)
        return;
    *field = path;
    text_append_string(&text, "the API server will refuse ");
    message_append_fields(&text, field, 1);
    text_append_string(&text, ": ");
    text_append_string(&text, sentence);
    verdict_add(
        refusals->verdict,
        &(struct finding){
            .rule = RULE_refused_combination,
            .action = ACTION_DENY,
            .message = text_slice(&text),
            .fields = field,
            .field_count = 1,
            .field_total = 1,
        });
}

/* Only what is declared counts. */
static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    struct refusals refusals = {review->arena, verdict};
    const struct declared_spec declared = {
        .group_kind = review->group_kind,
        .spec = review->parts.spec,
        .is_partial = review->is_of_shared,
        .gains_labels = review->gains_labels,
    };
    (void)document;
    combinations_find(&declared, review->arena, refuse, &refusals);
}

const struct rule_definition rule_refused_combination = {.judge_document = judge};
