#include "report/summary.h"

void summary_append_not_listed(struct text *text, size_t count)
{
    text_append_count(text, count, "more finding is not listed", "more findings are not listed");
}

/* Returns the separator for the next part. */
static const char *append_part(struct text *text, const char *separator, size_t count, const char *what)
{
    if (!count)
        return separator;
    text_append_all(text, separator, count, " ", what);
    return ", ";
}

void summary_append(struct text *text, const struct report_summary *summary)
{
    text_append_all(
        text, as_count(summary->items, "object", "objects"), " in ",
        as_count(summary->files, "file", "files"), ": ");
    const char *separator = "";
    for (int action = ACTION_DENY; action >= ACTION_AUDIT; action--)
        separator =
            append_part(text, separator, summary->by_action[action], action_name((enum action)action));
    if (!*separator)
        text_append_string(text, "no findings");
    separator = append_part(text, "; ", summary->waived, "waived");
    separator = append_part(
        text, separator, summary->unreasoned,
        summary->unreasoned == 1 ? "waiver without a reason" : "waivers without a reason");
    separator = append_part(text, separator, summary->known, "known");
    separator = append_part(text, separator, summary->dropped, "more not listed");
    separator = append_part(text, separator, summary->skipped, "skipped (not Kubernetes manifests)");
    separator = append_part(text, separator, summary->excluded, "excluded");
    append_part(text, separator, summary->problems, summary->problems == 1 ? "problem" : "problems");
}

void summary_end(struct report *report, const struct report_summary *summary, struct text *text)
{
    (void)report;
    summary_append(text, summary);
    text_append_string(text, "\n");
}
