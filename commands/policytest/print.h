/*
 * print.h: prints the results of tests, for people (text), as JUnit's XML, or as a line of JSON for each
 * case.
 *
 * Texts of tests, policies and objects may come from strangers: they are printed without control characters.
 */
#ifndef APPLYGUARD_COMMANDS_POLICYTEST_PRINT_H
#define APPLYGUARD_COMMANDS_POLICYTEST_PRINT_H

#include "commands/policytest/run.h"
#include "report/output_format.h"

#include <stdbool.h>
#include <stdio.h>

struct test_counts {
    size_t files, passed, failed, problems;
};

struct test_printer {
    enum output_format format;
    bool colour;
    FILE *out;
    FILE *err; /* for inputs that could not be read */
    struct test_counts counts;
    bool is_closed; /* the reader of `out` has closed it, or it cannot be written */
};

/* Returns false if memory runs out. */
bool print_tests_begin(struct test_printer *printer, struct arena *arena);

/* Prints and counts the results of a file. Returns false if memory runs out. */
bool print_test_run(struct test_printer *printer, const struct policy_test_run *run, struct arena *arena);

/* Prints and counts a file or directory that could not be read. Returns false if memory runs out. */
bool print_test_problem(
    struct test_printer *printer, const char *path, const struct error *error, struct arena *arena);

bool print_tests_end(struct test_printer *printer, struct arena *arena);

#endif
