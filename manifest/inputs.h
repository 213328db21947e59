/*
 * inputs.h: the files that -f and -R stand for, as kubectl finds them (cli-runtime, pkg/resource:
 * ExpandPathsToFileVisitors), and how they are opened.
 *
 * A directory stands for its files *.json, *.yaml and *.yml in the order of their names, with -R also for
 * those below it. A file that is named itself may have any name. Symbolic links to files are followed, those
 * to directories are not. Unlike kubectl, what goes wrong ends nothing: the other files are still found.
 */
#ifndef APPLYGUARD_MANIFEST_INPUTS_H
#define APPLYGUARD_MANIFEST_INPUTS_H

#include "base/error.h"

#include <stdbool.h>

/*
 * Called for each file. `error` is NULL, or says why `path` cannot be searched, or is no file to read. The
 * path lives until the call returns. False ends the search.
 */
typedef bool inputs_visit(void *context, const char *path, const struct error *error);

/* Visits the files of `path`, or "-" as it is. False if `visit` ended it. */
bool inputs_walk(const char *path, bool is_recursive, inputs_visit *visit, void *context);

/*
 * Opens a file for reading; of "-" gives standard input. Waits for a writer where it is a FIFO. Returns the
 * descriptor, for the caller to close unless it is 0; -1 with an error.
 */
int inputs_open(const char *path, struct error *error);

#endif
