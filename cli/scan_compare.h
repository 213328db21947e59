/* scan_compare.h: a scan compared with an earlier one, for --diff. Private to this component. */
#ifndef APPLYGUARD_CLI_SCAN_COMPARE_H
#define APPLYGUARD_CLI_SCAN_COMPARE_H

#include "commands/scan/diff.h"
#include "report/output_format.h"

/* The caller sets the format, text or JSON, and the arena, and releases the diff. */
struct scan_comparison {
    struct scan_diff diff;
    enum output_format format;
    struct arena *arena; /* reset after each line */
    bool has_failed;     /* a line could not be compared */
};

/* Reads the JSON of an earlier scan. Prints an error and returns false if it cannot be read. */
bool scan_read_earlier(const char *path, struct scan_comparison *comparison);

/*
 * For scan_lines_read: prints what differs about the object of this line; for JSON the line if anything
 * does. Prints an error and returns false if the line cannot be compared.
 */
bool scan_compare_line(void *comparison, struct slice line);

/* After the last line: prints which objects are gone, and the sums. */
void scan_print_difference(struct scan_comparison *comparison);

#endif
