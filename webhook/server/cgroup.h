/*
 * cgroup.h: reads the limits of the container that this process runs in.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_CGROUP_H
#define APPLYGUARD_WEBHOOK_SERVER_CGROUP_H

#include <stdbool.h>

/* Enough for a line of these files. */
#define CGROUP_LINE_BYTES 64

/*
 * Reads the first line of a file of the cgroup (v2), such as /sys/fs/cgroup/cpu.max. False if there is no
 * such file.
 */
bool cgroup_read(const char *path, char line[CGROUP_LINE_BYTES]);

#endif
