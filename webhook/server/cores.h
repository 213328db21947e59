/*
 * cores.h: how many processors this process may use.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_CORES_H
#define APPLYGUARD_WEBHOOK_SERVER_CORES_H

/*
 * The smaller of the affinity mask and the container's CPU limit (cgroup v2), at least 1. More loops would
 * only be throttled.
 */
unsigned cores_usable(void);

/* What a cgroup's cpu.max ("QUOTA PERIOD" or "max PERIOD") allows, rounded up; 0: no limit, or not
 * understood. */
unsigned cores_of_quota(const char *text);

#endif
