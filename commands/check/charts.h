/* charts.h: Helm charts in directories. Their templates are not manifests before Helm renders them. */
#ifndef APPLYGUARD_COMMANDS_CHECK_CHARTS_H
#define APPLYGUARD_COMMANDS_CHECK_CHARTS_H

#include "base/error.h"
#include "base/slice.h"

#include <stdbool.h>

/* Whether a file is in the directory templates of a chart. Returns false if memory runs out. */
bool chart_has_template(const char *path);

/*
 * The directory of a Chart.yaml, without the last slash; "." for the current directory. Returns false for
 * other files.
 */
bool chart_folder_of(const char *path, struct slice *folder);

/* Fills the error with advice on how to check a chart. Returns false if memory runs out. */
bool chart_explain(struct slice folder, struct error *error);

#endif
