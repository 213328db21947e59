#include "policy/analysis/crd_topology.h"

#include "policy/analysis/document.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/verdict.h"

struct comparison {
    const struct review *review;
    struct verdict *verdict;
    struct slice version;
    struct slice before_version;        /* the same, or another version of the same definition */
    const struct document_place *place; /* of the earlier definition; NULL: there is one definition */
    bool is_alternative;                /* it may be applied in place of this one, and not before it */
};

static void append_kind(struct text *text, const struct topology_field *field)
{
    static const char *const words[] = {
        [TOPOLOGY_ATOMIC_LIST] = "an atomic list", [TOPOLOGY_SET] = "a set",
        [TOPOLOGY_KEYED_LIST] = "a list by ",      [TOPOLOGY_ATOMIC_MAP] = "an atomic map",
        [TOPOLOGY_MAP] = "a granular map",         [TOPOLOGY_UNTYPED] = "any value"};
    text_append_string(text, words[field->kind]);
    if (field->kind == TOPOLOGY_KEYED_LIST)
        text_append_printable(text, field->keys);
}

static bool is_atomic(const struct topology_field *field)
{
    return field->kind == TOPOLOGY_ATOMIC_LIST || field->kind == TOPOLOGY_ATOMIC_MAP;
}

/* Kubernetes, "Compatibility across topology changes". */
static const char *consequence_of(const struct topology_change *change)
{
    if (is_atomic(change->after))
        return ", so that each owner of a part owns all of it, and their changes conflict";
    if (is_atomic(change->before))
        return ", and its items have no owner at first";
    return ", and its items lose their owners";
}

static bool is_of_unknown_fields(const struct topology_change *change)
{
    return change->before->keeps_unknown != change->after->keeps_unknown;
}

static void append_unknown_fields(
    struct text *text, const struct comparison *comparison, const struct topology_change *change)
{
    bool keeps = change->after->keeps_unknown;
    text_append_all(
        text, keeps ? " keeps unknown fields, unlike in " : " keeps unknown fields in ",
        document_place_text(comparison->place),
        keeps ? "; lists in them are atomic"
              : ", and here the API server removes those that the schema lacks");
}

static void append_change(
    struct text *text, const struct comparison *comparison, const struct topology_change *change)
{
    text_append_all(text, as_printable(comparison->version), " ", change->field);
    if (is_of_unknown_fields(change)) {
        append_unknown_fields(text, comparison, change);
        return;
    }
    text_append_string(text, " changes from ");
    append_kind(text, change->before);
    text_append_all(text, " (", document_place_text(comparison->place), ") to ");
    append_kind(text, change->after);
    text_append_all(text, consequence_of(change), "; add a version instead");
}

static void append_versions(
    struct text *text, const struct comparison *comparison, const struct topology_change *change)
{
    text_append_all(text, change->field, " is ");
    append_kind(text, change->before);
    text_append_all(text, " in ", as_printable(comparison->before_version), " and ");
    append_kind(text, change->after);
    text_append_all(
        text, " in ", as_printable(comparison->version), "; apply all objects in one of these versions");
}

static void report(void *context, const struct topology_change *change)
{
    const struct comparison *comparison = context;
    struct text text = text_start(comparison->review->arena, 240);
    if (comparison->place)
        append_change(&text, comparison, change);
    else
        append_versions(&text, comparison, change);
    bool is_harmless = !comparison->place || comparison->is_alternative ||
        (is_of_unknown_fields(change) && change->after->keeps_unknown);
    struct slice *field = arena_allocate(comparison->review->arena, sizeof(*field));
    if (!field || (!comparison->place && is_of_unknown_fields(change)))
        return;
    *field = change->schema_field;
    verdict_add(
        comparison->verdict,
        &(struct finding){
            .rule = RULE_crd_topology,
            .action = is_harmless ? ACTION_AUDIT : ACTION_DENY,
            .related = comparison->place && comparison->place->line ? comparison->place : NULL,
            .message = text_slice(&text),
            FINDING_FIELD(field),
            .line = change->place->line,
            .column = change->place->column,
        });
}

/* A webhook may convert between versions whose fields have other meanings. */
static bool has_conversion_webhook(const struct document *document)
{
    const struct manifest_node *conversion =
        manifest_member(manifest_member(document->object->root, SLICE("spec")), SLICE("conversion"));
    return slice_equal(manifest_text(manifest_member(conversion, SLICE("strategy"))), SLICE("Webhook"));
}

static void compare_versions(
    const struct review *review, const struct document *document, struct verdict *verdict)
{
    const struct crd_topology *own = crd_topology_read(document->object, review->arena);
    const struct crd_version *first = NULL;
    for (size_t i = 0; own && i < own->count; i++) {
        const struct crd_version *version = &own->versions[i];
        if (!version->is_served)
            continue;
        struct comparison comparison = {.review = review, .verdict = verdict, .version = version->name};
        if (first) {
            comparison.before_version = first->name;
            crd_topology_compare(first, document->object, i, report, &comparison, review->arena);
        } else {
            first = version;
        }
    }
}

static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    const struct crd_topology *before = document->others.topology;
    for (size_t i = 0; before && i < before->count; i++) {
        struct comparison comparison = {
            .review = review,
            .verdict = verdict,
            .version = before->versions[i].name,
            .place = document->others.topology_place,
            .is_alternative = document->others.is_topology_alternative,
        };
        crd_topology_compare(
            &before->versions[i], document->object, crd_topology_index(document->object, comparison.version),
            report, &comparison, review->arena);
    }
    if (slice_equal(review->kind, SLICE("CustomResourceDefinition")) && !has_conversion_webhook(document))
        compare_versions(review, document, verdict);
}

const struct rule_definition rule_crd_topology = {.judge_document = judge};
