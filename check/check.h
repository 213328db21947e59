/*
 * check.h: manifests against the rules, before a cluster sees them.
 *
 * Each object is judged as the request that would apply it to a cluster that has none of them, by the very
 * rules of the webhook, and by those of the scope manifest. Inputs are read twice: the first time for what
 * they tell about each other, such as an autoscaler about the Deployment that it scales.
 *
 * What no cluster gets is passed over and counted: configuration of programs (configuration.h), and of a
 * directory the files that have no object at all, such as a chart's values.
 */
#ifndef APPLYGUARD_CHECK_CHECK_H
#define APPLYGUARD_CHECK_CHECK_H

#include "base/error.h"
#include "check/first_apply.h"
#include "policy/config/config.h"
#include "report/baseline.h"
#include "report/report.h"

/* A file; or a text, of standard input or a pipe, which can be read only once. Must stay valid. */
struct check_input {
    const char *path;    /* what it is called, too */
    struct slice source; /* of several sources, the name of the one that it is from; empty: there is one */
    bool has_text;
    struct slice text;
    bool is_found;    /* in a directory, and not named: it may be anything */
    bool is_rendered; /* what a tool printed: findings are told of the files that it names as their origin */
};

struct check_options {
    const struct policy *policy;
    struct applier applier;
    const struct check_input *inputs;
    size_t input_count;
    unsigned threads;
    enum action fail_on;
    struct baseline *baseline; /* findings that are known already; NULL: none */
    struct report *report;
    void (*progress)(void *context, size_t done); /* how many inputs are judged; NULL: nobody asks */
    void *progress_context;
};

struct check_result {
    bool has_failed; /* something reached `fail_on` */
    struct report_summary summary;
};

/* Adds what it finds to the report. -1 and an error if there is no memory; then the report is not whole. */
int check_run(const struct check_options *options, struct check_result *result, struct error *error);

#endif
