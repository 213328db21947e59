#include "report/print_verdict.h"

#include "base/find.h"
#include "base/terminal.h"
#include "base/text.h"
#include "policy/review/review.h"
#include "policy/verdict/encode.h"
#include "policy/verdict/message_name.h"

#include <string.h>

static void append_object(struct text *text, const struct review *review)
{
    text_append_all(text, operation_name(review->operation), " ", as_terminal(review->group_kind));
    if (review->subresource.length)
        text_append_all(text, "/", as_terminal(review->subresource));
    text_append_all(text, " ", as_qualified(terminal_append, review->namespace, review->name));
    if (review->username.length)
        text_append_all(text, " by ", as_terminal(review->username));
}

/* ": 1 deny, 2 warn, 4 audit" */
static void append_counts(struct text *text, const struct verdict *verdict)
{
    const char *separator = ": ";
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--) {
        size_t count = verdict_count(verdict, (enum action)action);
        if (!count)
            continue;
        text_append_all(text, separator, count, " ", action_name((enum action)action));
        separator = ", ";
    }
}

static void append_outcome(struct text *text, const struct verdict *verdict, bool colour)
{
    if (!verdict->allowed)
        terminal_append_coloured(text, TERMINAL_DENY, "denied", colour);
    else
        terminal_append_coloured(text, TERMINAL_GOOD, "allowed", colour);
    append_counts(text, verdict);
    if (verdict->mode != MODE_ENFORCE)
        text_append_all(text, ", in mode ", mode_name(verdict->mode));
}

static void append_line(struct text *text, const char *label, struct slice content)
{
    text_append_all(
        text, "           ", label, *label ? "" : terminal_guard(content), as_terminal(content), "\n");
}

/* A message cuts long paths: if it has its only field in full, a line for the field would repeat it. */
static bool message_has_field(const struct finding *finding)
{
    return finding->field_total == 1 && finding->field_count == 1 &&
        slice_contains_text(finding->message, finding->fields[0]);
}

static void append_finding(struct text *text, const struct finding *finding, bool colour)
{
    const char *action = action_name(finding->action);
    text_append_string(text, "  ");
    terminal_append_coloured(text, terminal_action_colour(action), action, colour);
    text_append_all(text, &"       "[strlen(action)], "  ", rules[finding->rule].name);
    if (finding->waived_by.length)
        text_append_all(text, ", waived by ", as_terminal(finding->waived_by));
    text_append_string(text, "\n");
    append_line(text, "", finding->message);
    for (size_t i = 0; i < finding->field_count && !message_has_field(finding); i++)
        append_line(text, "field  ", finding->fields[i]);
    if (finding->field_total > finding->field_count) {
        append_line(
            text, "       ",
            text_join(text->arena, "and ", finding->field_total - finding->field_count, " more"));
    }
    /* The message names two previous owners; more of them get a line. */
    for (size_t i = 0; finding->previous_owner_total > 2 && i < finding->previous_owner_count; i++) {
        struct text previous_owner = text_start(text->arena, 64);
        manager_append(&previous_owner, &finding->previous_owners[i]);
        append_line(text, "loser  ", text_slice(&previous_owner));
    }
}

static void append_dropped(struct text *text, const struct verdict *verdict)
{
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--) {
        if (!verdict->dropped[action])
            continue;
        text_append_all(
            text, "  and ", verdict->dropped[action], " more: ", action_name((enum action)action), "\n");
    }
}

static struct slice text_report(
    const struct verdict *verdict, struct slice file, bool colour, struct arena *arena)
{
    struct text text = text_start(arena, 1024);
    terminal_append_place(&text, file, 0, 0, false);
    append_object(&text, verdict->review);
    text_append_string(&text, ": ");
    append_outcome(&text, verdict, colour);
    text_append_string(&text, "\n");
    for (size_t i = 0; i < verdict->finding_count; i++)
        append_finding(&text, &verdict->findings[i], colour);
    append_dropped(&text, verdict);
    return text_slice(&text);
}

int print_verdict(
    const struct verdict *verdict, struct slice file, enum output_format format, bool colour,
    struct arena *arena, FILE *out)
{
    struct slice report = format == OUTPUT_TEXT ? text_report(verdict, file, colour, arena)
        : format == OUTPUT_JSON                 ? encode_verdict(verdict, file, arena)
                                                : encode_response(verdict, arena);
    if (!report.bytes)
        return -1;
    fwrite(report.bytes, 1, report.length, out);
    return 0;
}
