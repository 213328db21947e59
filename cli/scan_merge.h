/* scan_merge.h: scan --merge. */
#ifndef APPLYGUARD_CLI_SCAN_MERGE_H
#define APPLYGUARD_CLI_SCAN_MERGE_H

#include "base/names.h"
#include "commands/scan/scan.h"
#include "report/output_format.h"

struct scan_print {
    enum output_format format;
    bool is_suggestion; /* a policy to start with, in place of the sums */
    uint64_t seconds;   /* how long the scan took */
};

/* Prints the sums, for people through a pager. Returns false and complains. */
bool scan_print_summary(const struct scan_summary *summary, const struct scan_print *print);

/* Prints the results of all shards, which these files hold, as one scan. Returns the exit status. */
int scan_merge(const struct names *files, enum output_format format, bool keeps_all, enum action fail_on);

#endif
