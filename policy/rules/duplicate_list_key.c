#include "base/array_size.h"
#include "policy/analysis/document.h"
#include "policy/analysis/repeated_items.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/*
 * Lists in which the API server's validation refuses two such items, so that no webhook sees them. In
 * manifests, refused-combination finds them.
 */
static bool is_refused_list(struct slice field)
{
    static const char *const lists[] = {"containers",    "initContainers", "volumes",
                                        "volumeMounts",  "volumeDevices",  "topologySpreadConstraints",
                                        "resourceClaims"};
    size_t end = field.length;
    while (end && field.bytes[end - 1] != '[')
        end--;
    size_t start = end;
    while (start && field.bytes[start - 1] != '.')
        start--;
    const struct slice name = slice_from(slice_until(field, end ? end - 1 : 0), start);
    return slice_is_one_of(name, lists, ARRAY_SIZE(lists)) || slice_starts_with(field, SLICE(".spec.ports["));
}

/* The items that are to be reported; the first in place. */
static struct repeated_items reported(const struct review *review, const struct repeated_items *items)
{
    struct repeated_items kept = *items;
    if (!review->is_of_manifest)
        return kept;
    kept.count = 0;
    for (size_t i = 0; i < items->count; i++) {
        if (is_refused_list(items->fields[i]))
            kept.total--;
        else
            kept.fields[kept.count++] = items->fields[i];
    }
    return kept;
}

static void add_finding(
    struct verdict *verdict, const struct repeated_items *items, enum action action, struct slice message)
{
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_duplicate_list_key,
            .action = action,
            .message = message,
            .fields = items->fields,
            .field_count = items->count,
            .field_total = items->total,
        });
}

/*
 * An object that has both items keeps them until the manifest drops one. Then server-side apply keeps the
 * other.
 */
static void report_repeated(
    const struct review *review, struct verdict *verdict, const struct repeated_items *items, bool is_kept)
{
    add_finding(
        verdict, items, is_kept ? ACTION_AUDIT : ACTION_DENY,
        text_join(
            review->arena, is_kept ? "the manifest still lists " : "the manifest lists ",
            message_fields(items->fields, items->total),
            is_kept || verdict->is_stored
                ? " twice, and deleting one removes both; delete it with a server-side apply"
                : " twice; delete one before the next apply; deleting it later removes both"));
}

/* Another tool than kubectl, which comes back, sets the item again. */
static enum action action_of_lost(const struct review *review)
{
    bool is_kubectl = entry_tool(review->ownership.writer.after) == TOOL_KUBECTL_CLIENT_SIDE;
    return is_kubectl ? ACTION_DENY : ACTION_WARN;
}

/* The API server itself refuses them in a server-side apply. */
static void judge(const struct review *review, struct verdict *verdict)
{
    if (applied_kind(review) != APPLIED_CLIENT_SIDE)
        return;
    const struct repeated_items_applied *applied = repeated_items_applied(review);
    struct repeated_items *items = applied ? arena_allocate(review->arena, sizeof(*items)) : NULL;
    if (!items)
        return;
    *items = reported(review, &applied->by_key);
    if (items->total)
        report_repeated(review, verdict, items, false);
    if (applied->kept.total)
        report_repeated(review, verdict, &applied->kept, true);
    if (applied->lost.total)
        add_finding(
            verdict, &applied->lost, action_of_lost(review),
            repeated_items_describe_lost(review, &applied->lost));
}

static void judge_document(
    const struct review *review, const struct document *document, struct verdict *verdict)
{
    for (size_t i = 0; i < document->problems.count; i++) {
        const struct document_problem *problem = &document->problems.items[i];
        if (problem->kind != DOCUMENT_SAME_ITEM || is_refused_list(problem->field))
            continue;
        verdict_add(
            verdict,
            &(struct finding){
                .rule = RULE_duplicate_list_key,
                .action = ACTION_DENY,
                .is_refused = true,
                .message = text_join(
                    review->arena, "the API server refuses this in a server-side apply: ",
                    message_fields(&problem->field, 1), " has the keys of an item before it; delete one"),
                FINDING_FIELD(&problem->field),
                .line = problem->line,
                .column = problem->column,
            });
    }
}

const struct rule_definition rule_duplicate_list_key = {
    .judge = judge, .judges_objects = true, .judge_document = judge_document};
