#include "base/terminal.h"
#include "commands/preview/preview.h"
#include "owners/resolutions.h"
#include "policy/review/review.h"

/* The number of conflicts whose resolutions are shown. Those of further conflicts are similar. */
#define ADVISED_MAX ((size_t)3)

struct output {
    struct text *text;
    bool has_colour;
};

static void append_word(const struct output *output, const char *colour, const char *word)
{
    text_append_all(
        output->text, output->has_colour ? colour : "", word, output->has_colour ? TERMINAL_RESET : "");
}

/* Begins a line with a word that says what the line is about. */
static void begin_line(const struct output *output, const char *colour, const char *word)
{
    text_append_string(output->text, "  ");
    append_word(output, colour, word);
    text_append_string(output->text, &"          "[strlen(word)]);
}

/* A line for each path or sentence. */
static void append_lines(
    const struct output *output, const char *colour, const char *word, struct slice_list texts)
{
    for (size_t i = 0; i < texts.count; i++) {
        begin_line(output, colour, word);
        text_append_all(output->text, as_terminal(texts.items[i]), "\n");
    }
}

static void append_managers(struct text *text, struct slice_list managers)
{
    text_append_string(text, managers.count ? ": " : ": no manager owns it");
    for (size_t i = 0; i < managers.count; i++)
        text_append_all(text, i ? ", " : "", as_terminal(managers.items[i]));
    if (managers.count)
        text_append_string(text, managers.count == 1 ? " keeps it" : " keep it");
    text_append_string(text, "\n");
}

static void append_kept(const struct output *output, const struct preview *preview)
{
    for (size_t i = 0; i < preview->kept_count; i++) {
        begin_line(output, TERMINAL_WARN, "stays");
        terminal_append(output->text, preview->kept[i].path);
        append_managers(output->text, preview->kept[i].managers);
    }
}

static void append_conflicts(const struct output *output, const struct preview *preview)
{
    for (size_t i = 0; i < preview->conflict_count; i++) {
        const struct preview_conflict *conflict = &preview->conflicts[i];
        begin_line(
            output, preview->is_forced ? TERMINAL_WARN : TERMINAL_DENY,
            preview->is_forced ? "takes" : "conflict");
        text_append_all(
            output->text, as_terminal(conflict->path), preview->is_forced ? ": from " : ": with ",
            as_terminal(conflict->manager.name), ", ", manager_operation_name(conflict->manager.operation),
            "\n");
    }
}

static void append_ways_of(const struct output *output, const struct preview_conflict *conflict)
{
    begin_line(output, "", "ways out");
    text_append_all(output->text, as_terminal(conflict->path), "\n");
    for (int i = 0; i < RESOLUTION_COUNT; i++) {
        const char *label = resolution_label((enum resolution_kind)i);
        text_append_all(
            output->text, "            ", label, &"          "[strlen(label)],
            as_terminal(resolution_line(&conflict->resolutions[i], output->text->arena)), "\n");
    }
}

static void append_ways(const struct output *output, const struct preview *preview)
{
    size_t count = preview->conflict_count && preview->conflicts[0].resolutions ? preview->conflict_count : 0;
    size_t shown = count < ADVISED_MAX ? count : ADVISED_MAX;
    for (size_t i = 0; i < shown; i++)
        append_ways_of(output, &preview->conflicts[i]);
    if (shown == count)
        return;
    begin_line(output, "", "ways out");
    text_append_all(
        output->text, "of ", as_count(count - shown, "more conflict", "more conflicts"), ": see -o json\n");
}

static const char *const reverts[] = {
    [REVERTER_APPLIER] = " declares it, and sets it when it applies again\n",
    [REVERTER_AUTOSCALER] = " scales it, and may set it back at any time\n",
    [REVERTER_CONTROLLER] = " controls it, and may set it back at any time\n",
};

static void append_reverted(const struct output *output, const struct preview *preview)
{
    for (size_t i = 0; i < preview->reverted_count; i++) {
        begin_line(output, TERMINAL_WARN, "put back");
        text_append_all(
            output->text, as_terminal(preview->reverted[i].path), ": ",
            as_terminal(preview->reverted[i].manager), reverts[preview->reverted[i].reverter]);
    }
}

static void append_head(const struct output *output, const struct preview *preview)
{
    struct text *text = output->text;
    text_append_all(
        text, output->has_colour ? TERMINAL_HEADING : "", terminal_guard(preview->kind),
        as_terminal(preview->kind), " ", as_qualified(terminal_append, preview->namespace, preview->name),
        output->has_colour ? TERMINAL_RESET ": " : ": ");
    if (preview->is_refused)
        append_word(output, TERMINAL_DENY, "the API server refuses it, nothing is applied");
    else if (preview->reason)
        append_word(
            output, preview->dropped == DROPPED_DELETED ? TERMINAL_DENY : TERMINAL_WARN, preview->reason);
    else if (preview->is_created)
        append_word(output, TERMINAL_GOOD, "is created");
    else if (preview_is_same(preview))
        append_word(output, "", "no field changes");
    else
        append_word(output, TERMINAL_WARN, "changes");
    text_append_string(text, "\n");
}

/* Appends each finding with the action that the policy alone would take. */
static void append_verdict(const struct output *output, const struct verdict *verdict)
{
    for (size_t i = 0; verdict && i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        const char *action = action_name(finding->policy_action);
        begin_line(output, terminal_action_colour(action), action);
        text_append_all(output->text, rules[finding->rule].name, ": ", as_terminal(finding->message), "\n");
    }
}

void preview_append_text(struct text *text, const struct preview *preview, bool has_colour)
{
    const struct output output = {text, has_colour};
    append_head(&output, preview);
    append_lines(&output, TERMINAL_DENY, "refused", preview->refused);
    append_conflicts(&output, preview);
    append_lines(&output, TERMINAL_GOOD, "set", preview->set);
    append_lines(&output, TERMINAL_WARN, "changed", preview->changed);
    append_lines(&output, TERMINAL_DENY, "removed", preview->removed);
    append_kept(&output, preview);
    append_reverted(&output, preview);
    append_verdict(&output, preview->verdict);
    append_lines(&output, TERMINAL_WARN, "unknown", preview->notes);
    append_ways(&output, preview);
}
