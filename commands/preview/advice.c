#include "commands/preview/advice.h"

#include "manifest/kinds.h"
#include "owners/explained.h"

static enum conflict_tool tool_of(enum apply_tool applier)
{
    return applier == APPLY_HELM ? CONFLICT_TOOL_HELM : CONFLICT_TOOL_KUBECTL;
}

/* The API server's answer. It has no items if memory runs out. */
static struct conflict_report report_of(
    const struct apply_question *question, const struct preview *preview, struct arena *arena)
{
    const struct manifest_object *manifest = question->manifest;
    struct conflict_report report = {
        .object =
            {.group = group_of(manifest->api_version),
             .version = version_of(manifest->api_version),
             .kind = preview->kind,
             .namespace = preview->namespace,
             .name = preview->name},
        .tool = tool_of(question->applier),
        .manager = question->manager,
        .items = arena_allocate_array(arena, preview->conflict_count, sizeof(*report.items)),
    };
    for (size_t i = 0; report.items && i < preview->conflict_count; i++) {
        const struct preview_conflict *conflict = &preview->conflicts[i];
        report.items[report.count++] = (struct conflict){
            .path = conflict->path,
            .manager = conflict->manager,
            .api_version = conflict->api_version,
        };
    }
    return report;
}

void preview_advise(
    const struct apply_question *question, const struct attempt *attempt, struct arena *arena,
    struct preview *preview)
{
    const struct policy *policy = question->policy;
    struct error ignored;
    if (!preview->conflict_count || preview->is_forced)
        return;
    const struct conflict_report report = report_of(question, preview, arena);
    /* Without it the resolutions are less precise. */
    const struct live_object *live = live_read(attempt->live->json, &policy->managers, arena, &ignored);
    const struct live_fields found = {live, live ? live_find(live, &report, arena) : NULL};
    const struct explained *explained =
        conflict_explain(&report, found.items ? &found : NULL, &policy->managers, arena);
    struct preview_conflict *conflicts =
        arena_allocate_array(arena, preview->conflict_count, sizeof(*conflicts));
    for (size_t i = 0; explained && conflicts && i < report.count; i++) {
        conflicts[i] = preview->conflicts[i];
        conflicts[i].resolutions = explained[i].resolutions;
    }
    preview->conflicts = conflicts;
}
