/* scan_merge.h: scan --merge. */
#ifndef APPLYGUARD_CLI_SCAN_MERGE_H
#define APPLYGUARD_CLI_SCAN_MERGE_H

#include "base/names.h"
#include "commands/scan/scan.h"

/* How the report is printed: the values of -o, and for --suggest. */
enum scan_format {
    SCAN_FORMAT_TEXT,
    SCAN_FORMAT_JSON,
    SCAN_FORMAT_HTML,
    SCAN_FORMAT_METRICS,
    SCAN_FORMAT_REPORT,
    SCAN_FORMAT_SUGGESTION
};

/* Prints the sums, for people through a pager. `seconds` is how long the scan took. Returns false and
 * complains. */
bool scan_print_summary(const struct scan_summary *summary, enum scan_format format, uint64_t seconds);

/* Prints the results of all shards, which these files hold, as one scan. Returns the exit status. */
int scan_merge(const struct names *files, enum scan_format format, bool keeps_all, enum action fail_on);

#endif
