/*
 * report.h: findings in files, and the formats in which they are printed.
 *
 * A report is a stream: one item for each object that was judged, a problem for each input that could not be
 * read, and a summary at the end. Each is written when it comes, so a report of any length takes little
 * memory; what a format has to keep is said there. Items of one file come one after another.
 *
 * - text: for people, as compilers print: FILE:LINE:COLUMN: ACTION RULE: MESSAGE, the line of the source and
 *   a caret; at the end what was only counted, and a summary
 * - json: a line for each item, and one for each problem
 * - sarif: SARIF 2.1.0, for code scanning
 * - junit: JUnit's XML: a testsuite for each file, a testcase for each object
 * - github: workflow commands, which GitHub Actions turns into annotations
 * - codeclimate: GitLab's Code Quality report
 * - markdown: for a pull request's comment, within GitHub's limit of length
 *
 * All text in items and problems may be a stranger's. It is printed without control characters, and escaped
 * as each format needs, so that the output is well-formed whatever the names of files and objects are.
 *
 * Problems go to `err` as FILE:LINE:COLUMN: error: SENTENCE, as compilers print them, after what came before
 * them on `out`. Formats with a place for them have them there as well: sarif, junit, codeclimate and
 * markdown. The format github has them as annotations on `out` alone, because the log shows both.
 */
#ifndef APPLYGUARD_REPORT_REPORT_H
#define APPLYGUARD_REPORT_REPORT_H

#include "base/slice.h"
#include "policy/action.h"
#include "policy/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum report_format {
    REPORT_TEXT,
    REPORT_JSON,
    REPORT_SARIF,
    REPORT_JUNIT,
    REPORT_GITHUB,
    REPORT_CODECLIMATE,
    REPORT_MARKDOWN,
    REPORT_FORMAT_COUNT
};

/* Parses the names above. On false the output is unchanged. */
bool report_format_parse(struct slice name, enum report_format *format);

struct report_options {
    enum report_format format;
    bool colour;         /* escape sequences of terminals; for text and problems only */
    FILE *out;           /* stays open */
    FILE *err;           /* for problems; stays open */
    const char *version; /* of applyguard */
    bool shows_audit;    /* text only: without it findings of the action audit are counted, and not listed */
    bool shows_all;      /* text only: without it five findings of a rule are listed, and the rest counted */
    bool shows_skipped;  /* what was passed over, and why */
    const char *pages;   /* the URL under which docs/rules is, with a slash at its end; empty: nobody said */
};

/* Another place that a finding is about. */
struct report_place {
    struct slice file;
    unsigned line;
};

/* Lines and columns are 1-based, and 0 where unknown. Columns count characters, as libyaml does. */
struct report_finding {
    enum rule_id rule;
    enum action action;         /* what the policy alone would do */
    struct slice message;       /* one sentence that begins with the object */
    const struct slice *fields; /* paths in the API server's form */
    size_t field_count;
    unsigned line;            /* unknown: that of the item */
    unsigned column;          /* needs a line */
    unsigned end_line;        /* unknown: the same line */
    struct slice source_line; /* the text of `line` without its end; empty: not to be shown, as of a Secret */
    unsigned source_column;   /* in which that text begins, if the line has more before it; else 0 or 1 */
    const struct report_place *related; /* the other place that the message is about; NULL: there is none */
    bool is_waived;
    bool lacks_reason;          /* a comment would waive it, but gives no reason */
    struct slice waived_reason; /* why, if it is waived */
};

/* An object that was judged. Empty where it does not apply. */
struct report_item {
    struct slice file;
    unsigned line;
    struct slice kind; /* KIND.GROUP, as Deployment.apps */
    struct slice namespace;
    struct slice name;
    const struct report_finding *findings;
    size_t finding_count;
    size_t dropped[ACTION_COUNT]; /* by action, how many more there are that are not listed */
};

struct report_summary {
    size_t files;
    size_t items;
    size_t by_action[ACTION_COUNT]; /* findings, without those that are waived or known */
    size_t by_rule[RULE_COUNT];     /* the same */
    size_t waived;
    size_t unreasoned; /* findings that would be waived if the comment gave a reason */
    size_t known;      /* those left out because the baseline has them */
    size_t dropped;    /* those beyond what is listed of an object */
    size_t skipped;    /* documents that are no objects of a cluster, and files passed over */
    size_t excluded;   /* files that the user leaves out */
    size_t problems;
};

struct report;

/* Writes what comes first. Returns NULL if there is no memory. */
struct report *report_begin(const struct report_options *options);

/* Writes an item. Nothing of it is kept. */
void report_add(struct report *report, const struct report_item *item);

/*
 * Writes that an input could not be read, or not all of it. Line and column may be 0. `sentence` says what is
 * wrong.
 */
void report_problem(
    struct report *report, struct slice file, unsigned line, unsigned column, const char *sentence);

/* Writes to `err`, whatever the format, what makes nothing fail. */
void report_note(
    struct report *report, struct slice file, unsigned line, unsigned column, const char *sentence);

/* Writes that a file, or a document of it, was passed over, if that was asked for. */
void report_skipped(struct report *report, struct slice file, unsigned line, const char *reason);

/*
 * Writes the end and releases the report. Returns -1 if the report is not whole because there was no memory
 * or a write failed. A reader that went away (EPIPE) is no error; the program has to ignore SIGPIPE.
 */
int report_end(struct report *report, const struct report_summary *summary);

#endif
