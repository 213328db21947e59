/* charts.h: Helm charts in directories. Their templates are not manifests before Helm renders them. */
#ifndef APPLYGUARD_COMMANDS_CHECK_CHARTS_H
#define APPLYGUARD_COMMANDS_CHECK_CHARTS_H

#include "base/error.h"
#include "base/slice.h"

#include <stdbool.h>

/*
 * Whether a file is in the directory templates of a chart, and the directory of that chart, as in
 * chart_folder_of. Returns false if memory runs out.
 */
bool chart_of_template(const char *path, struct slice *folder);

/*
 * The directory of a Chart.yaml, without the last slash; "." for the current directory. Returns false for
 * other files.
 */
bool chart_folder_of(const char *path, struct slice *folder);

/* Fills the error with advice on how to check a chart. Returns false if memory runs out. */
bool chart_explain(struct slice folder, struct error *error);

/*
 * The same for one template of a chart, keeping the line of the error. Leaves the error as it is for any
 * other file. Returns false if it does, or if memory runs out.
 */
bool chart_explain_template(const char *path, struct error *error);

#endif
