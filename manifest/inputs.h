/*
 * inputs.h: the files of -f and -R, as kubectl finds them (cli-runtime, pkg/resource:
 * ExpandPathsToFileVisitors), and how they are opened.
 *
 * The name of a directory means its files *.json, *.yaml and *.yml, sorted by name, with -R also for files in
 * directories below it. A file on the command line may have any name. Symbolic links to files are followed,
 * links to directories are not. Unlike in kubectl, an error does not end the search: the other files are
 * still found.
 */
#ifndef APPLYGUARD_MANIFEST_INPUTS_H
#define APPLYGUARD_MANIFEST_INPUTS_H

#include "base/error.h"

#include <stdbool.h>

/*
 * Called for each file. `error` is NULL, or says why `path` cannot be searched or read. The path is valid
 * during the call. Returning false ends the search.
 */
typedef bool inputs_visit(void *context, const char *path, const struct error *error);

/* Visits the files of `path`, or "-" itself. Returns false if `visit` ended the search. */
bool inputs_walk(const char *path, bool is_recursive, inputs_visit *visit, void *context);

/* The advice that follows the sentence about a directory without objects. */
#define INPUTS_RECURSIVE_ADVICE "; --recursive looks into its directories, too"

/* Whether `path` is a directory with directories in it, which are only searched with -R. */
bool inputs_have_directories(const char *path);

/*
 * Opens a file for reading; "-" gives standard input. Waits for a writer if it is a FIFO. Returns the
 * descriptor, which the caller must close unless it is 0; -1 and sets the error.
 */
int inputs_open(const char *path, struct error *error);

#endif
