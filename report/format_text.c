/*
 * The format text, for people: a finding, its line of the source, and the summary at the end.
 *
 *   web.yaml:12:3: warn autoscaled-replicas: Deployment default/web: …
 *      12 |   replicas: 3
 *         |   ^
 *   by rule: autoscaled-replicas 1, explicit-strategy 2
 *   3 objects in 2 files: 1 deny, 2 warn; 1 waived
 *
 * Denials come first, then rule by rule the denials about samples and tests, with the warnings behind them.
 * Only five findings of a rule are listed, and the rest is counted behind them. A warning about an
 * object that several files declare is listed once, and so is the denial that it is too large to be applied.
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
    struct text lines;       /* of findings that wait for the end, and are listed if others leave room */
    size_t ends[LISTED_MAX]; /* where each of them ends in `lines` */
};

/* The findings of a rule. */
struct rule_findings {
    struct listing denials;
    struct listing sample_denials, others; /* these wait for the end */
    size_t grouped;                        /* not listed */
    size_t in_samples;                     /* the number of these that samples have */
    enum action strongest;                 /* the strongest action of those that are not listed at once */
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

/* Denials about samples come after the other denials, which samples would otherwise crowd out of the five. */
static bool is_at_once(const struct report_item *item, const struct report_finding *finding)
{
    return finding->action == ACTION_DENY && !item->is_sample;
}

static struct listing *listing_of(
    struct rule_findings *findings, const struct report_item *item, const struct report_finding *finding)
{
    if (is_at_once(item, finding))
        return &findings->denials;
    return finding->action == ACTION_DENY ? &findings->sample_denials : &findings->others;
}

/* Each file needs a change for its denial, but for one that server-side apply ends for all copies. */
static bool may_be_copy(const struct report_item *item, const struct report_finding *finding)
{
    return !is_at_once(item, finding) || finding->rule == RULE_last_applied_size;
}

/* Whether the finding is one of the first of its rule, and of no copy. Keeps it then. */
static bool is_first(
    struct report *report, struct rule_findings *findings, const struct report_item *item,
    const struct report_finding *finding)
{
    struct listing *listing = listing_of(findings, item, finding);
    if (listing->count == LISTED_MAX)
        return false;
    const struct listed found = {
        .file = item->file,
        .object = object_of(item, report->scratch),
        .field = finding->field_count ? finding->fields[0] : (struct slice){NULL, 0},
        .message = finding->message,
    };
    for (size_t i = 0; i < listing->count && may_be_copy(item, finding); i++)
        if (is_copy(&listing->items[i], &found))
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

/*
 * Warnings about how objects are applied, alone and together, and not about their content: the authors of
 * samples do not act on them.
 */
static bool is_about_a_sample(
    const struct report *report, const struct report_item *item, const struct report_finding *finding)
{
    return item->is_sample && !report->options.shows_samples && finding->action == ACTION_WARN &&
        (finding->rule == RULE_explicit_strategy || finding->rule == RULE_last_applied_secret ||
         finding->rule == RULE_last_applied_runtime_fields || finding->rule == RULE_generated_fields ||
         finding->rule == RULE_oversized_annotations || finding->rule == RULE_duplicate_object);
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
    if (report->options.shows_all)
        return true;
    const bool is_of_sample = is_about_a_sample(report, item, finding);
    if (!is_of_sample && is_first(report, findings, item, finding))
        return true;
    findings->in_samples += is_of_sample ? count : 0;
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

/* Writes most denials at once. Other findings wait for the end, so that those of a rule come together. */
static void list(
    struct report *report, const struct report_item *item, const struct report_finding *finding, size_t more,
    struct text *text)
{
    struct text_state *state = report->state;
    struct rule_findings *findings = &state->rules[finding->rule];
    if (is_at_once(item, finding) || report->options.shows_all || report->is_in_order) {
        append_finding(text, item, finding, more, report->options.colour);
        return;
    }
    struct listing *listing = listing_of(findings, item, finding);
    if (!listing->lines.arena)
        listing->lines = text_start(report->kept, 512);
    note_action(findings, finding->action);
    append_finding(&listing->lines, item, finding, more, report->options.colour);
    listing->ends[listing->count - 1] = listing->lines.length;
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

/* Includes the waiting findings, even if there is no room for them later. */
static size_t listed_count(const struct rule_findings *findings)
{
    return findings->denials.count + findings->sample_denials.count + findings->others.count;
}

/* "5 more findings", "5 findings in samples", "5 more findings, 3 of them in samples" */
static void append_grouped(struct text *text, enum rule_id rule, const struct rule_findings *findings)
{
    const bool has_others = findings->in_samples < findings->grouped;
    const bool is_more = listed_count(findings) || has_others;
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

static size_t count_of(const struct rule_findings *findings)
{
    return listed_count(findings) + findings->grouped;
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

/* As many of the findings as there is room for. Returns their number. */
static size_t append_listing(
    struct report *report, struct text *text, const struct listing *listing, size_t room)
{
    const size_t shown = min_u64(listing->count, room);
    if (shown)
        text_append(text, slice_until(text_slice(&listing->lines), listing->ends[shown - 1]));
    report->has_failed |= listing->lines.failed;
    return shown;
}

/* The findings that wait, and the number of the ones that are not listed. */
static void append_rules(struct report *report, struct text *text)
{
    struct text_state *state = report->state;
    bool is_done[RULE_COUNT] = {false};
    for (int rule; (rule = next_rule(state, is_done)) < RULE_COUNT; is_done[rule] = true) {
        struct rule_findings *findings = &state->rules[rule];
        const struct listing *denials = &findings->sample_denials, *others = &findings->others;
        const size_t room = LISTED_MAX - findings->denials.count;
        size_t shown = append_listing(report, text, denials, room);
        shown += append_listing(report, text, others, room - shown);
        findings->grouped += denials->count + others->count - shown;
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
