/*
 * report.h: findings in files, and the formats in which they are printed.
 *
 * A report is a stream: one item for each object that was judged, a problem for each input that could not be
 * read, and a summary at the end. Each is written at once, so a report of any length takes little memory; a
 * format's source says what the format has to keep. Items of one file come one after another.
 *
 * - text: for people, as compilers print: FILE:LINE:COLUMN: ACTION RULE: MESSAGE, the line of the source and
 *   a caret; denials first, then rule by rule; at the end a summary
 * - json: a line for each item, and one for each problem
 * - sarif: SARIF 2.1.0, for code scanning
 * - junit: JUnit's XML: a testsuite for each file, a testcase for each object
 * - github: workflow commands, which GitHub Actions turns into annotations
 * - codeclimate: GitLab's Code Quality report
 * - markdown: for a pull request's comment, within GitHub's limit of length
 * - html: one page for people, which loads nothing
 *
 * Text in items and problems may come from strangers. It is printed without control characters, and escaped
 * as each format needs, so that any name of a file or object gives well-formed output.
 *
 * Problems go to `err` as FILE:LINE:COLUMN: error: SENTENCE, as compilers print them, after what came before
 * them on `out`. Formats that have a place for problems contain them as well: sarif, junit, codeclimate,
 * markdown and html. The format github prints them only as annotations on `out`, because the log shows both.
 */
#ifndef APPLYGUARD_REPORT_REPORT_H
#define APPLYGUARD_REPORT_REPORT_H

#include "base/slice.h"
#include "policy/action.h"
#include "policy/rules.h"
#include "report/output_format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct report_options {
    enum output_format format; /* text, json, sarif, junit, github, codeclimate, markdown or html */
    bool colour;               /* escape sequences of terminals; for text and problems only */
    FILE *out;                 /* stays open */
    FILE *err;                 /* for problems; stays open */
    const char *version;       /* of applyguard */
    bool shows_audit;   /* text only: without it findings of the action audit are counted, and not listed */
    bool shows_samples; /* text only: without it some warnings about samples are counted, and not listed */
    bool shows_all; /* text only: without it five findings of a rule are listed, and the rest counted; they
                       come by action and rule, not in the order of their files */
    bool shows_skipped; /* files and documents that were skipped, and why */
    const char *pages;  /* the URL under which docs/rules is, with a slash at its end; empty: no links */
};

/* Another place that a finding is about. */
struct report_place {
    struct slice file;
    unsigned line;
};

/* A line of a source, without its end. */
struct report_line {
    unsigned number;
    struct slice text;
};

/* Lines and columns are 1-based, and 0 where unknown. Columns count characters, as libyaml does. */
struct report_finding {
    enum rule_id rule;
    enum action action;         /* the action that the policy alone would take */
    struct slice message;       /* one sentence that begins with the object */
    const struct slice *fields; /* paths in the API server's form */
    size_t field_count;
    unsigned line;     /* 0 if unknown: the item's line */
    unsigned column;   /* needs a line */
    unsigned end_line; /* 0 if unknown: the same line */
    struct slice
        source_line; /* the text of `line` without its end; empty if it must not be shown, as in a Secret */
    unsigned source_column; /* the column in which that text begins if it is not the whole line; otherwise 0
                               or 1 */
    const struct report_line *around;   /* `line` and the lines next to it that may be shown, in order */
    size_t around_count;                /* 0: the caller does not give them */
    const struct report_place *related; /* the other place that the message is about; NULL if it has none */
    bool is_waived;
    bool lacks_reason;          /* a comment would waive it, but gives no reason */
    struct slice waived_reason; /* the reason of the waiver */
};

/* A judged object. Members that do not apply are empty. */
struct report_item {
    struct slice file;
    unsigned line;
    struct slice kind; /* KIND.GROUP, such as Deployment.apps */
    struct slice namespace;
    struct slice name;
    const struct report_finding *findings;
    size_t finding_count;
    bool is_sample;               /* it is in a directory of samples or tests; for text only */
    size_t dropped[ACTION_COUNT]; /* the number of unlisted findings, by action */
};

struct report_summary {
    size_t files;
    size_t items;
    size_t by_action[ACTION_COUNT]; /* findings, without waived and known ones */
    size_t by_rule[RULE_COUNT];     /* the same findings by rule */
    size_t waived;
    size_t unreasoned; /* findings that would be waived if the comment gave a reason */
    size_t known;      /* findings that are left out because the baseline has them */
    size_t dropped;    /* findings beyond the limit of an object */
    size_t skipped;    /* documents that are not objects of a cluster, and skipped files */
    size_t excluded;   /* files that the user excluded */
    size_t problems;
};

struct report;

/* Writes the beginning of the output. Returns NULL if memory runs out. */
struct report *report_begin(const struct report_options *options);

/* From now on, the format text writes each finding at once, as the other formats always do. */
void report_in_order(struct report *report);

/* Writes an item. The report keeps no part of it. */
void report_add(struct report *report, const struct report_item *item);

/*
 * Writes that an input could not be read, or not all of it. Line and column may be 0. `sentence` says what is
 * wrong. The format text writes a sentence once for a file, unless it shows all, and counts how often it is
 * repeated there.
 */
void report_problem(
    struct report *report, struct slice file, unsigned line, unsigned column, const char *sentence);

/* Writes a note to `err`, in every format. A note does not make the program fail. */
void report_note(
    struct report *report, struct slice file, unsigned line, unsigned column, const char *sentence);

/* Writes that a file or one of its documents was skipped, if the options ask for that. */
void report_skipped(struct report *report, struct slice file, unsigned line, const char *reason);

/*
 * Writes the end and releases the report. Returns -1 if the report is incomplete because memory ran out or a
 * write failed. A closed pipe (EPIPE) does not count as an error; the program has to ignore SIGPIPE.
 */
int report_end(struct report *report, const struct report_summary *summary);

#endif
