#include "commands/check/judge_object.h"

#include "apply/schema_check.h"
#include "manifest/secrets.h"
#include "policy/judge.h"
#include "report/excerpt.h"

#include <string.h>

/*
 * Omits a line with values of a Secret, for findings of any object, and a whole List on one line, as programs
 * write it.
 */
static struct slice source_line(const struct manifest_document *document, unsigned line)
{
    if (!secrets_show_line(document, line))
        return (struct slice){NULL, 0};
    struct slice text = manifest_source_line(document, line);
    return text.length > EXCERPT_SOURCE_BYTES_MAX ? (struct slice){NULL, 0} : text;
}

/*
 * The place of a finding: the one that the rule gives, or that of its first field, or of the deepest existing
 * part of its path.
 */
static struct manifest_place place_of(const struct manifest_object *object, const struct finding *finding)
{
    if (finding->line)
        return (struct manifest_place){finding->line, finding->column, finding->line, finding->column};
    if (!finding->field_count)
        return object->root->place;
    struct manifest_found found = manifest_find(object->root, finding->fields[0]);
    return found.node ? found.place : found.nearest_place;
}

/* Lines before and after that of a finding. */
#define LINES_AROUND 2

static void copy_lines_around(
    struct report_finding *filled, const struct manifest_document *document, struct arena *arena)
{
    struct report_line *lines = arena_allocate_array(arena, 2 * LINES_AROUND + 1, sizeof(*lines));
    const unsigned first = filled->line > LINES_AROUND ? filled->line - LINES_AROUND : 1;
    for (unsigned number = first; lines && number <= filled->line + LINES_AROUND; number++) {
        struct slice text = source_line(document, number);
        if (text.bytes)
            lines[filled->around_count++] = (struct report_line){number, arena_copy(arena, text)};
    }
    filled->around = lines;
}

static const struct slice *copy_fields(const struct finding *finding, struct arena *arena)
{
    struct slice *fields = arena_allocate_array(arena, finding->field_count, sizeof(*fields));
    for (size_t i = 0; fields && i < finding->field_count; i++)
        fields[i] = arena_copy(arena, finding->fields[i]);
    return fields;
}

/* Returns NULL if it has none, or memory runs out. */
static const struct report_place *related_place(const struct document_place *place, struct arena *arena)
{
    struct report_place *related = place ? arena_allocate(arena, sizeof(*related)) : NULL;
    if (related)
        *related = (struct report_place){arena_copy(arena, place->file), place->line};
    return related;
}

static void fill(
    struct report_finding *filled, const struct manifest_object *object, const struct finding *finding,
    bool shows_lines_around, struct arena *arena)
{
    struct manifest_place place = place_of(object, finding);
    const bool is_of_whole = !finding->line && !finding->field_count;
    const struct manifest_waiver *waiver =
        manifest_find_waiver(object->document, slice_of(rules[finding->rule].name), place.line);
    *filled = (struct report_finding){
        .rule = finding->rule,
        .action = finding->policy_action,
        .message = arena_copy(arena, finding->message),
        .fields = copy_fields(finding, arena),
        .field_count = finding->field_count,
        .line = place.line,
        .column = place.column,
        .end_line = place.end_line > place.line ? place.end_line : 0,
        .source_line = is_of_whole ? (struct slice){NULL, 0}
                                   : arena_copy(arena, source_line(object->document, place.line)),
        .source_column = place.line == object->document->first_line ? object->document->first_column : 1,
        .related = related_place(finding->related, arena),
        .is_waived = waiver && waiver->reason.length,
        .lacks_reason = waiver && !waiver->reason.length,
    };
    if (shows_lines_around && !is_of_whole)
        copy_lines_around(filled, object->document, arena);
    if (filled->is_waived)
        filled->waived_reason = arena_copy(arena, waiver->reason);
}

static bool is_before(const struct report_finding *a, const struct report_finding *b)
{
    return manifest_is_before(a->line, a->column, b->line, b->column);
}

/*
 * Sorts by the order of the file. A verdict lists few findings, and findings of one place keep their order.
 */
static void sort(struct report_finding *findings, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const struct report_finding moved = findings[i];
        size_t at = i;
        for (; at && is_before(&moved, &findings[at - 1]); at--)
            findings[at] = findings[at - 1];
        findings[at] = moved;
    }
}

/* Text that a template or a kustomization generates has other lines than its source. */
static void point_to_origin(struct judged_object *judged, struct slice path)
{
    judged->item.file = path;
    judged->item.line = 0;
    for (size_t i = 0; i < judged->finding_count; i++) {
        judged->findings[i].line = judged->findings[i].column = judged->findings[i].end_line = 0;
        judged->findings[i].around_count = 0;
    }
}

static struct judged_object *judged_of(
    const struct object_judge *judge, const struct document *document, const struct first_apply *made,
    const struct verdict *verdict)
{
    const struct manifest_object *object = document->object;
    struct arena *arena = judge->results;
    struct judged_object *judged = arena_allocate_array(arena, 1, sizeof(*judged));
    struct report_finding *findings = arena_allocate_array(arena, verdict->finding_count, sizeof(*findings));
    if (!judged || (!findings && verdict->finding_count))
        return NULL;
    for (size_t i = 0; i < verdict->finding_count; i++)
        fill(&findings[i], object, &verdict->findings[i], judge->shows_lines_around, arena);
    sort(findings, verdict->finding_count);
    judged->findings = findings;
    judged->finding_count = verdict->finding_count;
    judged->item = (struct report_item){
        .file = document->place.file,
        .line = document->place.line,
        .kind = made->group_kind,
        .namespace = made->namespace,
        .name = made->name,
    };
    memcpy(judged->item.dropped, verdict->dropped, sizeof(judged->item.dropped));
    if (judge->is_rendered && object->origin.path.length)
        point_to_origin(judged, arena_copy(arena, object->origin.path));
    return arena_has_failed(arena) ? NULL : judged;
}

struct judged_object *judge_object(
    const struct object_judge *judge, struct document *document, const struct first_apply *identity,
    struct error *error)
{
    struct first_apply made = *identity;
    const struct verdict *verdict = NULL;
    if (first_apply_make(document->object, judge->applier, judge->scratch, &made, error) < 0)
        return NULL;
    document->last_applied = made.last_applied;
    document->problems =
        schema_check(document->object, judge->applier->mode == APPLY_SERVER_SIDE, judge->scratch);
    const struct judge_options options = {
        .ceiling = MODE_ENFORCE, .now = judge->applier->now, .document = document};
    if (judge_review(judge->policy, made.review, &options, &verdict, error) != JUDGE_OK)
        return NULL;
    struct judged_object *judged = judged_of(judge, document, &made, verdict);
    if (!judged)
        error_set_out_of_memory(error);
    return judged;
}
