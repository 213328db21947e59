#include "commands/scan/readiness.h"

#include "base/text.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/verdict/message_command.h"

#define CLIENT_SIDE_MANAGER "kubectl-client-side-apply"

/* Managers of one command: kubectl's own, and those of one tool under several names. */
#define FROM_MAX 8

/* A leftover time of a restart does no harm. */
static bool is_stuck_by(const struct finding *finding)
{
    bool is_restart = finding->field_count &&
        slice_ends_with(finding->fields[0], SLICE("kubectl.kubernetes.io/restartedAt"));
    return !is_restart || finding->field_total > 1;
}

static bool is_stuck(const struct verdict *verdict)
{
    const struct finding *finding = NULL;
    while ((finding = verdict_next(verdict, RULE_orphaned_fields, ACTION_OFF, finding)))
        if (is_stuck_by(finding))
            return true;
    return false;
}

static bool is_update_of_applier(const struct ownership *ownership, const struct managed_fields_entry *entry)
{
    return entry->manager.operation == MANAGER_UPDATE && !entry->manager.subresource.length &&
        ownership_class(ownership, entry) == CLASS_APPLIER;
}

static bool has_update_of_applier(const struct ownership *ownership)
{
    for (size_t i = 0; i < ownership->after.count; i++)
        if (is_update_of_applier(ownership, &ownership->after.entries[i]))
            return true;
    return false;
}

enum scan_readiness scan_readiness_of(const struct verdict *verdict)
{
    const struct ownership *ownership = &verdict->review->ownership;
    if (!ownership->writer.known)
        return SCAN_NOT_APPLIED;
    if (is_stuck(verdict))
        return SCAN_STUCK;
    return has_update_of_applier(ownership) ? SCAN_MIGRATE : SCAN_READY;
}

const char *scan_readiness_name(enum scan_readiness readiness)
{
    static const char *const names[] = {NULL, "ready", "migrate", "stuck"};
    return names[readiness];
}

/* kubectl apply --server-side is kubectl; other tools keep their names. */
static struct manager successor_of(const struct manager *applier)
{
    struct manager to = *applier;
    if (applier->operation == MANAGER_UPDATE && slice_starts_with(applier->name, SLICE("kubectl-")))
        to.name = SLICE("kubectl");
    return to;
}

/*
 * The applier takes over the fields that it, or kubectl before it, owns by Update. It takes no fields of
 * another tool, which may still apply them.
 */
static struct slice command_for(const struct review *review)
{
    static const struct slice undecided = SLICE_LITERAL(
        "several tools apply it; first decide which one does (applyguard explain multiple-appliers)");
    const struct ownership *ownership = &review->ownership;
    const struct manager *applier = &ownership->writer.manager;
    const struct manager to = successor_of(applier);
    struct manager from[FROM_MAX];
    size_t count = 0;
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        struct slice name = entry->manager.name;
        if (!is_update_of_applier(ownership, entry))
            continue;
        bool is_own =
            slice_equal(name, SLICE(CLIENT_SIDE_MANAGER)) || manager_is_same_tool(name, applier->name);
        if (!is_own || count == FROM_MAX)
            return undecided;
        from[count++] = entry->manager;
    }
    struct slice command = message_command_migrate(review, from, count, &to);
    return command.bytes && !command.length ? SLICE("its name needs quotes; see applyguard migrate --help")
                                            : command;
}

static struct slice list_stuck_fields(const struct verdict *verdict)
{
    struct text text = text_start(verdict->review->arena, 128);
    const struct finding *finding = NULL;
    while ((finding = verdict_next(verdict, RULE_orphaned_fields, ACTION_OFF, finding))) {
        if (!is_stuck_by(finding))
            continue;
        for (size_t i = 0; i < finding->field_count; i++)
            text_append_all(&text, text.length ? ", " : "", as_printable(finding->fields[i]));
        if (finding->field_total > finding->field_count)
            text_append_all(&text, " and ", finding->field_total - finding->field_count, " more");
    }
    return text_slice(&text);
}

struct slice scan_readiness_task(const struct verdict *verdict, enum scan_readiness readiness)
{
    return readiness == SCAN_STUCK ? list_stuck_fields(verdict) : command_for(verdict->review);
}
