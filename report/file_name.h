/* file_name.h: names of files in the form that other tools expect. */
#ifndef APPLYGUARD_REPORT_FILE_NAME_H
#define APPLYGUARD_REPORT_FILE_NAME_H

#include "base/slice.h"
#include "base/text.h"

/* Removes ./ from the start: code review compares names with those in the repository. */
struct slice file_name_plain(struct slice file);

/*
 * Appends a URI reference (RFC 3986): relative to the current folder, or file:// if the name begins with a /.
 * A byte that a URI may not contain becomes %XX, so any name gives a valid URI.
 */
void file_name_append_uri(struct text *text, struct slice file);

#endif
