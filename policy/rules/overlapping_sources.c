#include "policy/analysis/document.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

static struct slice describe(const struct document *document, const struct slice *fields, struct arena *arena)
{
    const struct other_manifests *others = &document->others;
    const struct document_place *first = others->overlaps[0].place;
    return text_join(
        arena, "source ", message_marked(first->source), " (", document_place_text(first), ") and source ",
        message_marked(document->place.source), " both declare ",
        message_fields(fields, others->overlap_count), "; keep each field in one of them");
}

/* Said where the later source declares them. */
static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    const struct other_manifests *others = &document->others;
    size_t listed = others->overlap_count < FINDING_FIELDS_MAX ? others->overlap_count : FINDING_FIELDS_MAX;
    struct slice *fields = arena_allocate_array(review->arena, listed, sizeof(*fields));
    if (!listed || !fields)
        return;
    for (size_t i = 0; i < listed; i++)
        fields[i] = others->overlaps[i].field;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_overlapping_sources,
            .action = ACTION_DENY,
            .related = others->overlaps[0].place,
            .message = describe(document, fields, review->arena),
            .fields = fields,
            .field_count = listed,
            .field_total = others->overlap_count,
        });
}

const struct rule_definition rule_overlapping_sources = {.judge_document = judge};
