/*
 * charts.h: Helm charts in directories. Their templates are no manifests before Helm fills them in.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_CHARTS_H
#define APPLYGUARD_COMMANDS_CHECK_CHARTS_H

#include "base/error.h"
#include "base/slice.h"

#include <stdbool.h>

/* Whether a file is in the folder templates of a chart. False without memory. */
bool chart_has_template(const char *path);

/* The folder of a Chart.yaml, without the last slash; "." for the current one. False for other files. */
bool chart_folder_of(const char *path, struct slice *folder);

/* Fills the error that says how to check a chart. False if there is no memory. */
bool chart_explain(struct slice folder, struct error *error);

#endif
