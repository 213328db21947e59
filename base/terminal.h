/*
 * terminal.h: text for terminals and the logs of CI systems.
 *
 * A log is read by a machine as well: GitHub Actions takes a line that begins with "::", and Azure Pipelines,
 * TeamCity and older runners of GitHub take "##vso[", "##teamcity[" and "##[", for a command. Names in a
 * manifest must give none.
 */
#ifndef APPLYGUARD_BASE_TERMINAL_H
#define APPLYGUARD_BASE_TERMINAL_H

#include "base/slice.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

#define TERMINAL_BOLD "\033[1m"
#define TERMINAL_RED "\033[1;31m"
#define TERMINAL_YELLOW "\033[1;33m"
#define TERMINAL_GREEN "\033[1;32m"
#define TERMINAL_DIM "\033[2m"
#define TERMINAL_RESET "\033[0m"

/* Appends in colour, or without it if `colour` is false. */
void terminal_append_coloured(struct text *text, const char *colour_code, const char *string, bool colour);

/* "./" where a line that begins so could be a command, which names the same file; else nothing. */
const char *terminal_guard(struct slice line);

/* Appends a stranger's text on one line. */
void terminal_append(struct text *text, struct slice bytes);

/* Appends lines that are printable already, and in which a stranger's text may still be a command. */
void terminal_append_lines(struct text *text, struct slice lines);

/*
 * Appends the character at `offset` of `line`. Returns how many columns of a terminal it takes, and in
 * `length` how many bytes it has. `column` is its own, from 0: a tab ends at the next multiple of 8.
 */
size_t terminal_append_character(
    struct text *text, struct slice line, size_t offset, size_t column, size_t *length);

/* FILE:LINE:COLUMN: with a space. Line and column may be 0. */
void terminal_append_place(struct text *text, struct slice file, unsigned line, unsigned column, bool colour);

enum terminal_label { TERMINAL_ERROR, TERMINAL_NOTE };

/* FILE:LINE:COLUMN: error: SENTENCE, or note, with a newline. */
void terminal_append_problem(
    struct text *text, struct slice file, unsigned line, unsigned column, enum terminal_label label,
    struct slice sentence, bool colour);

#endif
