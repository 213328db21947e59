/*
 * The format text, for people: a finding, its line of the source, and the summary at the end.
 *
 *   web.yaml:12:3: warn autoscaled-replicas: Deployment default/web: …
 *      12 |   replicas: 3
 *         |   ^
 *   by rule: autoscaled-replicas 1, explicit-strategy 2
 *   3 objects in 2 files: 1 deny, 2 warn; 1 waived
 *
 * Denials come first, then those about samples, then the other findings rule by rule. Only five findings of a
 * rule are listed, and the rest is counted behind them: one if they are advice about how objects are applied,
 * and one denial about samples. A warning about an object that several files declare is listed once.
 */
#include "base/min.h"
#include "base/terminal.h"
#include "report/excerpt.h"
#include "report/report_state.h"
#include "report/summary.h"

static void append_action(struct text *text, enum action action, bool colour)
{
    terminal_append_coloured(text, terminal_action_colour(action_name(action)), action_name(action), colour);
}

/* The column of the finding in the visible part of its line; 0 if unknown. */
static unsigned column_in_excerpt(const struct report_finding *finding)
{
    unsigned before = finding->source_column ? finding->source_column - 1 : 0;
    return finding->column > before ? finding->column - before : 0;
}

/* `more` is the number of findings of the rule at the same place, which are not listed. */
static void append_finding(
    struct text *text, const struct report_item *item, const struct report_finding *finding, size_t more,
    bool colour)
{
    terminal_append_place(
        text, item->file, report_line(item, finding), finding->line ? finding->column : 0, colour);
    append_action(text, finding->action, colour);
    text_append_all(text, " ", rules[finding->rule].name, ": ", as_terminal(finding->message));
    if (more)
        text_append_all(text, " (and ", more, " more here; --all lists them)");
    text_append_string(text, "\n");
    if (finding->line)
        excerpt_append(text, finding->source_line, finding->line, column_in_excerpt(finding), colour);
}

static void append_dropped(struct text *text, const struct report_item *item, bool colour)
{
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--) {
        if (!item->dropped[action])
            continue;
        terminal_append_place(text, item->file, item->line, 0, colour);
        append_action(text, (enum action)action, colour);
        text_append_string(text, ": ");
        summary_append_not_listed(text, item->dropped[action]);
        text_append_string(text, "\n");
    }
}

/* How many findings of a rule a run lists, unless all are asked for. Denials come first. */
#define LISTED_MAX 5

/* A listed finding: its object, its first field and its message. */
struct listed {
    struct slice file;
    struct slice object;
    struct slice field;
    struct slice message;
};

struct listing {
    struct listed items[LISTED_MAX];
    size_t count;
};

/* The findings of a rule. */
struct rule_findings {
    struct listing denials;
    struct listing others;
    size_t grouped;        /* not listed */
    size_t in_samples;     /* the number of these that samples have */
    enum action strongest; /* the strongest action of those that are not listed at once */
    struct text of_sample; /* the first denial about a sample, which waits for the end */
    struct text lines;     /* the findings that wait for the end, and are listed if denials leave room */
    size_t waiting_count;
    size_t ends[LISTED_MAX]; /* where each of them ends in `lines` */
};

struct text_state {
    struct rule_findings rules[RULE_COUNT];
    size_t hidden; /* of the action audit */
};

static struct slice object_of(const struct report_item *item, struct arena *arena)
{
    return text_join(arena, item->kind, " ", item->namespace, "/", item->name);
}

/* A copy of an object in another file has the same finding. */
static bool is_copy(const struct listed *listed, const struct listed *other)
{
    return slice_equal(listed->object, other->object) && !slice_equal(listed->file, other->file) &&
        (slice_equal(listed->field, other->field) || slice_equal(listed->message, other->message));
}

/* These are advice about how objects are applied, which is the same for all objects of a run. */
static bool is_general_advice(enum rule_id rule)
{
    return rule == RULE_explicit_strategy || rule == RULE_last_applied_secret ||
        rule == RULE_oversized_annotations;
}

/* These are about applies that samples seldom get: again, by another tool, or beside another sample. */
static bool is_advice(enum rule_id rule)
{
    return is_general_advice(rule) || rule == RULE_ambiguous_merge_key || rule == RULE_duplicate_object ||
        rule == RULE_explicit_selector || rule == RULE_generated_fields ||
        rule == RULE_last_applied_runtime_fields;
}

static size_t listed_max(const struct report *report, const struct report_finding *finding)
{
    const bool is_advised =
        finding->action != ACTION_DENY && is_general_advice(finding->rule) && !report->options.shows_advice;
    return is_advised ? 1 : LISTED_MAX;
}

/* A denial is listed for each file, because each file needs a change, unless it is about how to apply. */
static bool may_be_copy(const struct report_finding *finding)
{
    return finding->action != ACTION_DENY || finding->rule == RULE_last_applied_size;
}

/* Whether the finding is one of the first of its rule, and of no copy. Keeps it then. */
static bool is_first(
    struct report *report, struct listing *listing, const struct report_item *item,
    const struct report_finding *finding)
{
    if (listing->count >= listed_max(report, finding))
        return false;
    const struct listed found = {
        .file = item->file,
        .object = object_of(item, report->scratch),
        .field = finding->field_count ? finding->fields[0] : (struct slice){NULL, 0},
        .message = finding->message,
    };
    for (size_t i = 0; i < listing->count; i++)
        if (may_be_copy(finding) && is_copy(&listing->items[i], &found))
            return false;
    listing->items[listing->count++] = (struct listed){
        .file = arena_copy(report->kept, found.file),
        .object = arena_copy(report->kept, found.object),
        .field = arena_copy(report->kept, found.field),
        .message = arena_copy(report->kept, found.message),
    };
    return true;
}

static void note_action(struct rule_findings *findings, enum action action)
{
    if (findings->strongest < action)
        findings->strongest = action;
}

static bool is_of_sample(const struct report *report, const struct report_item *item)
{
    return item->is_sample && !report->options.shows_advice && !report->options.shows_all;
}

/* Whether the finding is listed. The authors of samples do not act on advice, and on one denial at a time. */
static bool is_chosen(
    struct report *report, struct rule_findings *findings, const struct report_item *item,
    const struct report_finding *finding)
{
    if (is_of_sample(report, item) && finding->action == ACTION_DENY)
        return !findings->of_sample.arena;
    if (is_of_sample(report, item) && finding->action == ACTION_WARN && is_advice(finding->rule))
        return false;
    struct listing *listing = finding->action == ACTION_DENY ? &findings->denials : &findings->others;
    return is_first(report, listing, item, finding);
}

/* `count` is the number of findings of the rule at this place. */
static bool is_listed(
    struct report *report, const struct report_item *item, const struct report_finding *finding, size_t count)
{
    struct text_state *state = report->state;
    struct rule_findings *findings = &state->rules[finding->rule];
    if (finding->is_waived)
        return false;
    if (finding->action == ACTION_AUDIT && !report->options.shows_audit) {
        state->hidden++;
        return false;
    }
    if (report->options.shows_all || is_chosen(report, findings, item, finding))
        return true;
    findings->in_samples += is_of_sample(report, item) ? count : 0;
    findings->grouped += count;
    note_action(findings, finding->action);
    return false;
}

/* Such as two fields that an empty map lacks: the place is that of the map. */
static bool is_in_one_place(const struct report_finding *finding, const struct report_finding *other)
{
    return finding->rule == other->rule && finding->action == other->action && finding->line &&
        finding->line == other->line && finding->column == other->column &&
        finding->is_waived == other->is_waived;
}

/* The number of findings from number `from` until number `until` that are in one place with this one. */
static size_t count_in_one_place(
    const struct report_item *item, const struct report_finding *finding, size_t from, size_t until)
{
    size_t count = 0;
    for (size_t i = from; i < until; i++)
        count += is_in_one_place(&item->findings[i], finding);
    return count;
}

/* Where the finding is written: denials at once, others at the end, so that those of a rule come together. */
static struct text *lines_of(
    struct report *report, const struct report_item *item, const struct report_finding *finding,
    struct text *text)
{
    struct rule_findings *findings = &((struct text_state *)report->state)->rules[finding->rule];
    const bool is_at_once = report->options.shows_all || report->is_in_order;
    struct text *waiting = &findings->lines;
    if (finding->action == ACTION_DENY) {
        if (!is_of_sample(report, item))
            return text;
        waiting = &findings->of_sample;
    }
    if (!waiting->arena)
        *waiting = text_start(report->kept, 512);
    return is_at_once ? text : waiting;
}

static void list(
    struct report *report, const struct report_item *item, const struct report_finding *finding, size_t more,
    struct text *text)
{
    struct text_state *state = report->state;
    struct rule_findings *findings = &state->rules[finding->rule];
    struct text *lines = lines_of(report, item, finding, text);
    append_finding(lines, item, finding, more, report->options.colour);
    if (lines == text)
        return;
    note_action(findings, finding->action);
    if (lines == &findings->lines)
        findings->ends[findings->waiting_count++] = lines->length;
}

static void add(struct report *report, const struct report_item *item, struct text *text)
{
    const bool is_all = report->options.shows_all;
    for (size_t i = 0; i < item->finding_count; i++) {
        const struct report_finding *finding = &item->findings[i];
        const size_t before = is_all ? 0 : count_in_one_place(item, finding, 0, i);
        const size_t more = is_all ? 0 : count_in_one_place(item, finding, i + 1, item->finding_count);
        if (!before && is_listed(report, item, finding, 1 + more))
            list(report, item, finding, more, text);
    }
    append_dropped(text, item, report->options.colour);
}

static size_t count_of(const struct rule_findings *findings)
{
    return findings->denials.count + (findings->of_sample.arena ? 1 : 0) + findings->others.count +
        findings->grouped;
}

/* "5 more findings", "5 findings in samples", "5 more findings, 3 of them in samples" */
static void append_grouped(struct text *text, enum rule_id rule, const struct rule_findings *findings)
{
    const bool has_others = findings->in_samples < findings->grouped;
    const bool is_more = count_of(findings) > findings->grouped || has_others;
    text_append_all(
        text, rules[rule].name, ": ",
        as_count(
            findings->grouped, is_more ? "more finding" : "finding", is_more ? "more findings" : "findings"));
    if (findings->in_samples && has_others)
        text_append_all(text, ", ", findings->in_samples, " of them");
    text_append_all(text, findings->in_samples ? " in samples and tests" : "", "; --all lists them\n");
}

static void append_by_rule(struct text *text, const struct report_summary *summary)
{
    const char *separator = "by rule: ";
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        if (!summary->by_rule[rule])
            continue;
        text_append_all(text, separator, rules[rule].name, " ", summary->by_rule[rule]);
        separator = ", ";
    }
    text_append_string(text, *separator == ',' ? "\n" : "");
}

/* Stronger findings come first, and then rare ones: a rule that finds much is about habits. */
static bool comes_before(const struct rule_findings *findings, const struct rule_findings *other)
{
    if (findings->strongest != other->strongest)
        return findings->strongest > other->strongest;
    return count_of(findings) < count_of(other);
}

/* The rule that comes first of those that have lines; RULE_COUNT: none has any. */
static int next_rule(const struct text_state *state, const bool is_done[RULE_COUNT])
{
    int next = RULE_COUNT;
    for (int rule = 0; rule < RULE_COUNT; rule++)
        if (!is_done[rule] && state->rules[rule].strongest != ACTION_OFF &&
            (next == RULE_COUNT || comes_before(&state->rules[rule], &state->rules[next])))
            next = rule;
    return next;
}

/* The findings that wait, and the number of the ones that are not listed. */
static void append_rules(struct report *report, struct text *text)
{
    struct text_state *state = report->state;
    bool is_done[RULE_COUNT] = {false};
    for (int rule; (rule = next_rule(state, is_done)) < RULE_COUNT; is_done[rule] = true) {
        struct rule_findings *findings = &state->rules[rule];
        const size_t denied = findings->denials.count + (findings->of_sample.length ? 1 : 0);
        const size_t shown = min_u64(findings->waiting_count, LISTED_MAX - min_u64(denied, LISTED_MAX));
        if (findings->of_sample.length)
            text_append(text, text_slice(&findings->of_sample));
        if (shown)
            text_append(text, slice_until(text_slice(&findings->lines), findings->ends[shown - 1]));
        findings->grouped += findings->waiting_count - shown;
        report->has_failed |= findings->lines.failed || findings->of_sample.failed;
        if (findings->grouped)
            append_grouped(text, (enum rule_id)rule, findings);
    }
}

static void end(struct report *report, const struct report_summary *summary, struct text *text)
{
    const struct text_state *state = report->state;
    append_rules(report, text);
    append_by_rule(text, summary);
    summary_append(text, summary);
    if (state->hidden)
        text_append_string(text, " (--show audit lists audit findings)");
    text_append_string(text, "\n");
}

const struct report_writer report_text = {.state_size = sizeof(struct text_state), .add = add, .end = end};
