/*
 * check.h: judges manifests by the rules, before they are applied.
 *
 * Each object is judged as the request that would apply it to an empty cluster, by the webhook's rules and
 * the rules of the scope manifest. Objects are judged as they are read. Manifests also state facts about
 * other manifests, such as an autoscaler about the Deployment that it scales: then the file of the other
 * object is read and judged again. With very many inputs, all are judged twice, because results of the first
 * pass are kept only up to a limit.
 *
 * Files that are not for a cluster are skipped and counted: configuration of programs (configuration.h) and,
 * in a directory, files without any object, such as a chart's values.
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
    bool follows_appliers; /* judge as a server-side apply if all appliers in the inputs apply so */
    const struct check_input *inputs;
    size_t input_count;
    unsigned threads;
    enum action fail_on;
    bool shows_lines_around;   /* the report shows the lines next to that of a finding */
    struct baseline *baseline; /* known findings; NULL: none */
    struct report *report;
    /* Gets the number of inputs read so far, and of a single input that of its objects. NULL: no progress. */
    void (*progress)(void *context, size_t done, size_t objects);
    void *progress_context;
};

struct check_result {
    bool has_failed;      /* a finding reached `fail_on` */
    bool has_client_side; /* an object in the inputs makes a tool apply so (appliers.h) */
    bool has_server_side; /* the same */
    bool is_server_side;  /* this decided how the inputs were judged */
    struct report_summary summary;
};

/*
 * Reports a problem of an input, unless the baseline has it. `path` is the input's name; line and column may
 * be 0.
 */
void check_problem(
    const struct check_options *options, struct check_result *result, const char *path,
    const struct error *problem);

/* Adds the findings to the report. Returns false if memory runs out; then the report is incomplete. */
bool check_run(const struct check_options *options, struct check_result *result);

#endif
