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

/*
 * The palette: a colour for each meaning, legible on black and on white. Yellow and bright colours are not
 * legible on white, blue is not on black.
 */
#define TERMINAL_HEADING "\033[1m"      /* places, objects and titles */
#define TERMINAL_DENY "\033[1;31m"      /* also errors, and what fails or gets lost */
#define TERMINAL_WARN "\033[35m"        /* also what needs attention */
#define TERMINAL_AUDIT "\033[2m"        /* also what matters little */
#define TERMINAL_GOOD "\033[38;5;28m"   /* what is allowed, passes or is added */
#define TERMINAL_DETAIL "\033[38;5;30m" /* where in a text something is */
#define TERMINAL_RESET "\033[0m"

/* The colour of an action by its name: deny, warn or audit. */
const char *terminal_action_colour(const char *action);

/* Appends in colour, or without it if `colour` is false. */
void terminal_append_coloured(struct text *text, const char *colour_code, const char *string, bool colour);

/* "./" where a line that begins so could be a command, which names the same file; else nothing. */
const char *terminal_guard(struct slice line);

/* Appends a stranger's text on one line. */
void terminal_append(struct text *text, struct slice bytes);

/* The same as a part of text_append_all. */
static inline struct text_escaped as_terminal(struct slice bytes)
{
    return as_escaped(terminal_append, bytes);
}

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
