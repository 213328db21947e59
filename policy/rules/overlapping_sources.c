#include "policy/analysis/document.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/* The place of the first other source that declares a field before this document does. */
struct overlap {
    const struct document_place *first;
    struct slice *fields;
    size_t listed;
    size_t total;
};

static void add(struct overlap *overlap, const struct document_place *place, struct slice field)
{
    if (!overlap->first)
        overlap->first = place;
    overlap->total++;
    if (overlap->listed < FINDING_FIELDS_MAX)
        overlap->fields[overlap->listed++] = field;
}

static struct slice describe(
    const struct overlap *overlap, const struct document *document, struct arena *arena)
{
    struct text text = text_start(arena, 200);
    text_append_string(&text, "source ");
    message_append_name(&text, overlap->first->source);
    text_append_string(&text, " (");
    document_place_append(&text, overlap->first);
    text_append_string(&text, ") and source ");
    message_append_name(&text, document->place.source);
    text_append_string(&text, " both declare ");
    message_append_fields(&text, overlap->fields, overlap->total);
    text_append_string(&text, "; keep each field in one of them");
    return text_slice(&text);
}

/* Said where the later source declares them. */
static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    const struct manifest_identity object = {review->group_kind, review->namespace, review->name};
    struct overlap overlap = {
        .fields = arena_allocate_array(review->arena, FINDING_FIELDS_MAX, sizeof(*overlap.fields))};
    for (size_t i = 0; overlap.fields && object.name.length && i < document->field_count; i++) {
        struct slice field = document->fields[i];
        const struct document_place *place =
            manifest_set_first_of_field(document->set, &object, field, review->arena);
        if (place && place->order < document->place.order &&
            !slice_equal(place->source, document->place.source))
            add(&overlap, place, field);
    }
    if (!overlap.total)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_overlapping_sources,
            .action = ACTION_DENY,
            .message = describe(&overlap, document, review->arena),
            .fields = overlap.fields,
            .field_count = overlap.listed,
            .field_total = overlap.total,
        });
}

const struct rule_definition rule_overlapping_sources = {.judge_document = judge};
