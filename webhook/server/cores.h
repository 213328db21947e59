/*
 * cores.h: how many processors this process may use.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_CORES_H
#define APPLYGUARD_WEBHOOK_SERVER_CORES_H

/*
 * The smaller of the affinity mask and the container's CPU limit, at least 1. More loops than that would only
 * be throttled.
 */
unsigned cores_usable(void);

/*
 * The CPU limit of the container whose cgroup (v2 or v1) is at `root`; 0 if it has none, or if it cannot be
 * read.
 */
unsigned cores_of_container(const char *root);

/*
 * The number of cores that a cgroup's cpu.max ("QUOTA PERIOD" or "max PERIOD") allows, rounded up; 0: no
 * limit (in cgroup v1, a quota of -1), or the text is invalid.
 */
unsigned cores_of_quota(const char *text);

#endif
