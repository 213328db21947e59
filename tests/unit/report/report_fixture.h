/*
 * report_fixture.h: prints a report into memory.
 */
#ifndef APPLYGUARD_TESTS_REPORT_FIXTURE_H
#define APPLYGUARD_TESTS_REPORT_FIXTURE_H

#include "base/array_size.h"
#include "report/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct printed {
    struct report *report;
    FILE *out_file, *err_file;
    char *out, *err; /* whole after printed_end */
    size_t out_length, err_length;
    int result;
};

static inline void printed_begin(struct printed *printed, enum output_format format, bool colour)
{
    *printed = (struct printed){0};
    printed->out_file = open_memstream(&printed->out, &printed->out_length);
    printed->err_file = open_memstream(&printed->err, &printed->err_length);
    const struct report_options options = {
        .format = format,
        .colour = colour,
        .out = printed->out_file,
        .err = printed->err_file,
        .version = "1.2.3",
        .pages = "https://example.com/docs/rules/",
    };
    printed->report = report_begin(&options);
    assert_non_null(printed->report);
}

static inline void printed_end(struct printed *printed, const struct report_summary *summary)
{
    printed->result = report_end(printed->report, summary);
    fclose(printed->out_file);
    fclose(printed->err_file);
}

static inline void printed_release(struct printed *printed)
{
    free(printed->out);
    free(printed->err);
}

/* The findings that all tests print unless they need others. */
static inline struct report_item sample_item(const struct report_finding *findings, size_t count)
{
    return (struct report_item){
        .file = SLICE("web.yaml"),
        .line = 1,
        .kind = SLICE("Deployment.apps"),
        .namespace = SLICE("default"),
        .name = SLICE("web"),
        .findings = findings,
        .finding_count = count,
    };
}

static const struct slice sample_field = SLICE_LITERAL(".spec.replicas");

static inline struct report_finding sample_finding(void)
{
    return (struct report_finding){
        .rule = RULE_explicit_strategy,
        .action = ACTION_WARN,
        .message = SLICE("Deployment default/web: the strategy is not set"),
        .fields = &sample_field,
        .field_count = 1,
        .line = 12,
        .column = 3,
        .source_line = SLICE("  replicas: 3"),
    };
}

#endif
