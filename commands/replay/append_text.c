#include "base/array_size.h"
#include "base/text.h"
#include "commands/replay/fights.h"
#include "commands/replay/replay.h"
#include "commands/replay/row.h"

/* How many rows of a table are shown: the rest is in the JSON. */
#define ROWS_MAX 10

/* Aligned to the right. */
static void append_cell(struct text *text, uint64_t number, size_t width)
{
    size_t digits = 1;
    for (uint64_t rest = number; rest > 9; rest /= 10)
        digits++;
    text_append_spaces(text, digits < width ? width - digits : 1);
    text_append_number(text, number);
}

/*
 * Tables
 */

static void append_rest(struct text *text, size_t shown, size_t count)
{
    if (count <= shown)
        return;
    text_append_all(text, "  and ", count - shown, " more\n");
}

static void append_name(struct text *text, struct slice name)
{
    text_append_string(text, "  ");
    if (name.length)
        text_append_printable(text, name);
    else
        text_append_string(text, "(none)");
    text_append_string(text, "\n");
}

/* With the columns `first` to `last`, the strongest at the left. */
static void append_table(
    struct text *text, const char *title, const struct name_table *counts, int first, int last)
{
    size_t shown = 0;
    if (!counts->count)
        return;
    text_append_all(text, "\n", title, "\n");
    for (const struct replay_count *row = NULL; shown < ROWS_MAX && (row = replay_counts_next(counts, row));
         shown++) {
        for (int column = last; column >= first; column--)
            append_cell(text, row->values[column], 8);
        append_name(text, replay_fight_label(row->name, text->arena));
    }
    append_rest(text, shown, counts->count);
}

/* Fields of which the log shows that they changed hands on several days: a slow fight. */
static void append_fields(struct text *text, const struct name_table *fields)
{
    struct name_table slow = {0};
    if (replay_slow_fights(fields, text->arena, &slow))
        append_table(
            text, "    days changes  fields that changed hands, and between which managers", &slow,
            REPLAY_CHANGES, REPLAY_DAYS);
}

static void append_rule(
    struct text *text, const char *name, const uint64_t counts[ACTION_COUNT], bool *is_first)
{
    if (!counts[ACTION_AUDIT] && !counts[ACTION_WARN] && !counts[ACTION_DENY])
        return;
    text_append_string(text, *is_first ? "\n    deny    warn   audit  by rule\n" : "");
    *is_first = false;
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--)
        append_cell(text, counts[action], 8);
    append_name(text, slice_of(name));
}

static void append_rules(struct text *text, const struct replay_summary *summary)
{
    bool is_first = true;
    for (int rule = 0; rule < RULE_COUNT; rule++)
        append_rule(text, rules[rule].name, summary->findings[rule], &is_first);
    append_rule(text, REPLAY_INDEX_PATCH, summary->index_patches, &is_first);
}

/*
 * Writes that could not be judged
 */

static void append_unjudged_title(struct text *text, bool *is_first)
{
    text_append_string(text, *is_first ? "\n  writes  not judged in full\n" : "");
    *is_first = false;
}

static void append_unjudged(struct text *text, const struct replay_summary *summary)
{
    bool is_first = true;
    for (int reason = REPLAY_NO_REASON + 1; reason < REPLAY_REASON_COUNT; reason++) {
        if (!summary->unjudged[reason])
            continue;
        append_unjudged_title(text, &is_first);
        append_cell(text, summary->unjudged[reason], 8);
        text_append_all(
            text, "  ", replay_reason_name((enum replay_reason)reason), ": ",
            replay_reason_text((enum replay_reason)reason), "\n");
    }
    if (!summary->not_sent)
        return;
    append_unjudged_title(text, &is_first);
    append_cell(text, summary->not_sent, 8);
    text_append_string(text, "  " REPLAY_NOT_SENT "\n");
}

/*
 * Whether the log has less than it could have. Some objects have no managedFields, so few such writes do not
 * show that the log leaves them out.
 */
static bool lacks_objects(const struct replay_summary *summary)
{
    bool has_secrets_alone = summary->unlogged.count == 1 &&
        slice_equal(replay_counts_item(&summary->unlogged, 0)->name, SLICE("secrets"));
    return (summary->unlogged.count && !has_secrets_alone) ||
        summary->judged[REPLAY_PARTIAL] > summary->judged[REPLAY_FULL];
}

/* An audit policy with which the log has all that is needed; Secrets stay out of it. */
static void append_audit_policy(struct text *text, const struct replay_summary *summary)
{
    if (!lacks_objects(summary))
        return;
    text_append_string(
        text,
        "\nWith this audit policy the log has all that is needed, and no Secret:\n"
        "  apiVersion: audit.k8s.io/v1\n"
        "  kind: Policy\n"
        "  omitStages: [RequestReceived]\n"
        "  rules:\n"
        "  - {level: Metadata, resources: [{group: \"\", resources: [secrets]}]}\n"
        "  - {level: RequestResponse, verbs: [create, update, patch, delete]}\n"
        "  - {level: None}\n");
}

/*
 * All of it
 */

static void append_range(struct text *text, const struct replay_summary *summary)
{
    if (!summary->events) {
        text_append_string(text, "no request that ended was found\n");
        return;
    }
    text_append_all(
        text, as_printable(slice_until(replay_time(&summary->first), 19)), " to ",
        as_printable(slice_until(replay_time(&summary->last), 19)), ": ",
        as_count(summary->events, "request, ", "requests, "), as_count(summary->writes, "write", "writes"));
    if (summary->dry_runs)
        text_append_all(text, ", ", as_count(summary->dry_runs, "of them a dry run", "of them dry runs"));
    text_append_string(text, "\n");
}

/* The share of the writes that the webhook would have got. */
static void append_judged(struct text *text, const struct replay_summary *summary)
{
    uint64_t judged = summary->judged[REPLAY_FULL] + summary->judged[REPLAY_PARTIAL];
    text_append_all(text, "judged ", as_count(judged, "write", "writes"));
    if (summary->judged[REPLAY_PARTIAL])
        text_append_all(text, " (", summary->judged[REPLAY_PARTIAL], " in part)");
    text_append_all(
        text, "; the policy would have denied ", summary->would_deny, " and warned of ", summary->would_warn,
        "\n");
}

static void append_comparison(struct text *text, const struct replay_summary *summary)
{
    if (!summary->has_other)
        return;
    text_append_all(
        text, "the other policy: newly denied ", summary->newly_denied, ", no longer denied ",
        summary->no_longer_denied, ", newly warned of ", summary->newly_warned, ", no longer warned of ",
        summary->no_longer_warned, "\n");
}

void replay_append_text(struct text *text, const struct replay_summary *summary)
{
    const struct {
        const char *title;
        const struct name_table *counts;
    } tables[] = {
        {"    deny    warn  by namespace", &summary->by_namespace},
        {"    deny    warn  by kind", &summary->by_kind},
        {"    deny    warn  by manager", &summary->by_manager},
        {"    deny    warn  by user", &summary->by_user},
        {"    deny    warn  by object", &summary->objects},
    };
    append_range(text, summary);
    append_judged(text, summary);
    replay_append_refused(text, "the API server refused ", summary, "\n");
    append_comparison(text, summary);
    append_rules(text, summary);
    for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
        append_table(text, tables[i].title, tables[i].counts, REPLAY_WARNED, REPLAY_DENIED);
    append_table(text, "    deny    warn   audit  finding", &summary->messages, ACTION_AUDIT, ACTION_DENY);
    append_table(text, "  writes  forced applies, by manager", &summary->forced, 0, 0);
    append_table(text, "  writes  refused with a conflict, by manager", &summary->conflicts, 0, 0);
    append_table(
        text, " refused  forced  conflicts, and how often the writer then forced its apply", &summary->rivals,
        REPLAY_WON, REPLAY_REFUSED);
    append_fields(text, &summary->fields);
    append_table(
        text, "    back service  people  writes of managers of unknown class; back: it took a field back",
        &summary->unknown, REPLAY_BY_PEOPLE, REPLAY_TAKEN_BACK);
    append_table(text, "  writes  by hand or by scripts, by manager", &summary->imperative, 0, 0);
    append_table(text, "  writes  with findings, changed by mutating webhooks", &summary->webhooks, 0, 0);
    append_unjudged(text, summary);
    append_table(
        text, "  writes  whose object the log's level leaves out, by resource", &summary->unlogged, 0, 0);
    append_audit_policy(text, summary);
}

/* clean -> deny */
static void append_actions(struct text *text, enum action first, enum action other)
{
    text_append_all(
        text, first == ACTION_OFF ? "clean" : action_name(first), " -> ",
        other == ACTION_OFF ? "clean" : action_name(other));
}

/* The strongest action of the rule in the first findings. */
static enum action action_of(const struct replay_row_verdict *verdict, size_t count, struct slice rule)
{
    enum action strongest = ACTION_OFF;
    for (size_t i = 0; i < count; i++)
        if (slice_equal(verdict->findings[i].rule, rule) && verdict->findings[i].action > strongest)
            strongest = verdict->findings[i].action;
    return strongest;
}

/* Appends each rule for which the two policies have different actions, once. */
static void append_differences(struct text *text, const struct replay_row *row)
{
    const struct replay_row_verdict *const verdicts[] = {&row->verdict, &row->other};
    const char *separator = ": ";
    for (size_t side = 0; side < ARRAY_SIZE(verdicts); side++) {
        for (size_t i = 0; i < verdicts[side]->count; i++) {
            struct slice rule = verdicts[side]->findings[i].rule;
            enum action first = action_of(&row->verdict, row->verdict.count, rule);
            enum action other = action_of(&row->other, row->other.count, rule);
            bool is_appended =
                action_of(verdicts[side], i, rule) != ACTION_OFF || (side && first != ACTION_OFF);
            if (is_appended || first == other)
                continue;
            text_append_all(text, separator, as_printable(rule), " ");
            append_actions(text, first, other);
            separator = ", ";
        }
    }
}

void replay_append_difference(struct text *text, const struct replay_row *row)
{
    if (!row->is_compared)
        return;
    text_append_all(text, as_printable(slice_until(row->time, 19)), "  ");
    append_actions(text, row->verdict.strongest, row->other.strongest);
    text_append_all(
        text, "  ", as_printable(row->verb), " ", as_printable(row->kind), " ",
        as_qualified(text_append_printable, row->namespace, row->name), " by ", as_printable(row->user),
        row->is_dry_run ? " (dry run)" : "");
    append_differences(text, row);
    text_append_string(text, "\n");
}
