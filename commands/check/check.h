/*
 * check.h: manifests against the rules, before a cluster sees them.
 *
 * Each object is judged as the request that would apply it to a cluster that has none of them, by the very
 * rules of the webhook, and by those of the scope manifest. Objects are judged as they are read. Inputs tell
 * things about each other as well, such as an autoscaler about the Deployment that it scales: where one does,
 * the file of the other object is read and judged again. Of very many inputs all are, for what is found is
 * kept until then only within a bound.
 *
 * What no cluster gets is passed over and counted: configuration of programs (configuration.h), and of a
 * directory the files that have no object at all, such as a chart's values.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_CHECK_H
#define APPLYGUARD_COMMANDS_CHECK_CHECK_H

#include "apply/first_apply.h"
#include "base/error.h"
#include "commands/check/check_input.h"
#include "policy/config/config.h"
#include "report/baseline.h"
#include "report/report.h"

struct check_options {
    const struct policy *policy;
    struct applier applier;
    const struct check_input *inputs;
    size_t input_count;
    unsigned threads;
    enum action fail_on;
    struct baseline *baseline; /* findings that are known already; NULL: none */
    struct report *report;
    void (*progress)(void *context, size_t done); /* how many inputs are read; NULL: nobody asks */
    void *progress_context;
};

struct check_result {
    bool has_failed; /* something reached `fail_on` */
    struct report_summary summary;
};

/*
 * Reports a problem of an input, unless the baseline has it. `path` is what the input is called; line and
 * column may be 0.
 */
void check_problem(
    const struct check_options *options, struct check_result *result, const char *path,
    const struct error *problem);

/* Adds what it finds to the report. -1 and an error if there is no memory; then the report is not whole. */
int check_run(const struct check_options *options, struct check_result *result, struct error *error);

#endif
