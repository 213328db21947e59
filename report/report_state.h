/* report_state.h: the parts of a format, and the parts of a report that its functions may use. */
#ifndef APPLYGUARD_REPORT_REPORT_STATE_H
#define APPLYGUARD_REPORT_REPORT_STATE_H

#include "base/arena.h"
#include "base/text.h"
#include "report/report.h"

struct report_problem {
    struct slice file;
    unsigned line;
    unsigned column;
    struct slice sentence;
};

/*
 * Each function appends its output to `text`. `text` is in the report's arena `scratch`, which is reset
 * afterwards. NULL: the format writes nothing there.
 */
struct report_writer {
    size_t state_size; /* the state that the format keeps from call to call, zeroed at first */
    void (*begin)(struct report *report, struct text *text);
    void (*add)(struct report *report, const struct report_item *item, struct text *text);
    void (*problem)(struct report *report, const struct report_problem *problem, struct text *text);
    void (*end)(struct report *report, const struct report_summary *summary, struct text *text);
    bool is_log; /* `out` is a log that has the problems already, so they are not written to `err` they do not
                    go to `err` */
};

struct report {
    struct report_options options;
    const struct report_writer *writer;
    void *state;
    struct arena *scratch;
    struct arena *file; /* until the format resets it for the next file */
    struct arena *kept; /* until the end */
    size_t
        repeated_problems; /* text only: how often the last problem was repeated, which is not written yet */
    struct slice problem_file; /* text only: the last problem, in `file` */
    struct slice problem_sentence;
    bool is_in_order; /* text only: findings are written when they are added */
    bool has_failed;
    bool is_closed; /* the pipe's reader has closed it */
};

extern const struct report_writer report_text;
extern const struct report_writer report_json;
extern const struct report_writer report_sarif;
extern const struct report_writer report_junit;
extern const struct report_writer report_github;
extern const struct report_writer report_codeclimate;
extern const struct report_writer report_markdown;
extern const struct report_writer report_html;

/* The line of a finding: its own, or else the item's. */
static inline unsigned report_line(const struct report_item *item, const struct report_finding *finding)
{
    return finding->line ? finding->line : item->line;
}

#endif
