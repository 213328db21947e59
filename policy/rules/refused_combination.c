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
    text_append_string(&text, "the API server refuses this: ");
    message_append_fields(&text, field, 1);
    text_append_string(&text, ": ");
    text_append_string(&text, sentence);
    verdict_add(
        refusals->verdict,
        &(struct finding){
            .rule = RULE_refused_combination,
            .action = ACTION_DENY,
            .is_refused = true,
            .message = text_slice(&text),
            .fields = field,
            .field_count = 1,
            .field_total = 1,
        });
}

/* A SubjectAccessReview or its like is answered and not stored, so it needs no name. */
static bool is_question(const struct review *review)
{
    return slice_equal(review->group, SLICE("authentication.k8s.io")) ||
        slice_equal(review->group, SLICE("authorization.k8s.io"));
}

/* kubectl asks for the object of this name before it applies, so that a generated name does not do. */
static void judge_name(const struct review *review, const struct document *document, struct verdict *verdict)
{
    static const struct slice name = SLICE_LITERAL(".metadata.name"),
                              generated = SLICE_LITERAL(".metadata.generateName");
    const struct manifest_node *metadata = manifest_member(document->object->root, SLICE("metadata"));
    bool is_generated = manifest_text(manifest_member(metadata, SLICE("generateName"))).length;
    if (document->object->name.length || is_question(review))
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_refused_combination,
            .action = ACTION_DENY,
            .is_refused = true,
            .message = is_generated
                ? SLICE(
                      "kubectl apply takes no generateName, and the API server refuses this without a name; "
                      "set metadata.name, or use kubectl create")
                : SLICE("the API server refuses this: an object needs a name; set metadata.name"),
            .fields = is_generated ? &generated : &name,
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
        .is_partial = review->declared_by_other_sources,
        .kustomize_adds_labels = review->kustomize_adds_labels,
    };
    judge_name(review, document, verdict);
    combinations_find(&declared, review->arena, refuse, &refusals);
}

const struct rule_definition rule_refused_combination = {.judge_document = judge};
