#include "owners/explained.h"

#include "policy/review/ownership.h"

static bool is_status(const struct explained *explained)
{
    return slice_starts_with(explained->conflict->path, SLICE(".status"));
}

static void explain(
    const struct conflict_report *report, const struct live_object *live, struct arena *arena,
    struct explained *explained)
{
    const struct live_field *field = explained->field;
    bool is_known = live && field && field->holder;
    const struct resolution_question question = {
        .object = live ? &live->identity : &report->object,
        .tool = report->tool,
        .manager = report->manager,
        .conflict = explained->conflict,
        .class = is_known
            ? ownership_class_of_previous_owner(&live->review->ownership, field->holder, is_status(explained))
            : explained->class,
        .live = live,
        .field = field,
    };
    explained->since = is_known ? field->holder->time : explained->conflict->time;
    resolutions_find(&question, arena, explained->resolutions);
}

struct explained *conflict_explain(
    const struct conflict_report *report, const struct live_fields *live,
    const struct class_rules *class_rules, struct arena *arena)
{
    const struct live_object *object = live ? live->object : NULL;
    struct slice group = object ? object->identity.group : report->object.group;
    struct explained *explained = arena_allocate_array(arena, report->count + 1, sizeof(*explained));
    for (size_t i = 0; explained && i < report->count; i++) {
        const struct conflict *conflict = &report->items[i];
        explained[i].conflict = conflict;
        explained[i].field = live ? &live->items[i] : NULL;
        explained[i].class = live_class(object, explained[i].field, conflict, group, class_rules);
        explain(report, object, arena, &explained[i]);
    }
    return explained;
}
