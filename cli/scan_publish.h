/* scan_publish.h: the report of a scan in a ConfigMap, for a scan that runs in a pod. */
#ifndef APPLYGUARD_CLI_SCAN_PUBLISH_H
#define APPLYGUARD_CLI_SCAN_PUBLISH_H

#include "base/error.h"
#include "commands/scan/scan.h"

/*
 * Writes the report, the sums and the metrics into the ConfigMap of the pod's namespace, as the pod's service
 * account. Each is cut if it is too large for a ConfigMap. Returns -1 and sets the error.
 */
int scan_publish(const char *name, const struct scan_summary *summary, uint64_t seconds, struct error *error);

#endif
