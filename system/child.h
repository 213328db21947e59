/*
 * child.h: runs another program and collects its output.
 *
 * No shell is involved. The child gets none of our open files, default signals, and the terminal as its
 * standard input if that is ours: a program may ask a person for a password. Otherwise it has no input. So a
 * text for the child is in a file that is open in it.
 */
#ifndef APPLYGUARD_SYSTEM_CHILD_H
#define APPLYGUARD_SYSTEM_CHILD_H

#include "base/error.h"
#include "base/slice.h"
#include "system/file.h"

#include <stdio.h>

/* The limit of kept bytes of a child's standard error. */
#define CHILD_ERRORS_MAX ((size_t)8192)

/* The file of the child, of which only this process and the child know. */
#define CHILD_FILE_PATH "/dev/fd/3"

/* Gets text that a child printed on standard error, in whole lines if possible. */
typedef void child_say(void *context, struct slice text);

struct child {
    char *const *arguments; /* the program, searched in PATH, its arguments, and NULL */
    size_t output_max;      /* the child is killed if it prints more */
    FILE *file;             /* the child reads it as CHILD_FILE_PATH, from the position it has; NULL: none */

    /*
     * Gets standard error while the child runs for longer than a second, or if it prints very much of it.
     * NULL: the end of it is kept for the result.
     */
    child_say *say;
    void *context;
};

struct child_result {
    struct file_content output;    /* standard output, with a NUL behind it */
    char errors[CHILD_ERRORS_MAX]; /* standard error, as far as `say` has not got it */
    size_t error_length;
    int exit_status; /* 128 and the signal, as a shell reports it, if a signal ended the child */
};

enum child_outcome { CHILD_FAILED = -1, CHILD_ENDED, CHILD_IS_MISSING };

/*
 * Runs the program and waits for its end. CHILD_ENDED: the caller frees the output, for any exit status.
 * CHILD_IS_MISSING: PATH has no such program. CHILD_FAILED and an error: it cannot be started, or printed too
 * much. SIGCHLD must not be ignored in this process.
 */
enum child_outcome child_run(const struct child *child, struct child_result *result, struct error *error);

#endif
