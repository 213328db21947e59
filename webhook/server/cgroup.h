/*
 * cgroup.h: reads the limits of the container that this process runs in.
 *
 * A container sees its own cgroup at CGROUP_ROOT: with cgroup v2 as files there, with cgroup v1 in a folder
 * for each controller.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_CGROUP_H
#define APPLYGUARD_WEBHOOK_SERVER_CGROUP_H

#include <stdbool.h>

/* Where Kubernetes mounts it; tests have folders of their own. */
#define CGROUP_ROOT "/sys/fs/cgroup"

/* Enough for a line of these files. */
#define CGROUP_LINE_BYTES 64

/*
 * Reads the first line of a file of the cgroup, such as "cpu.max" or "cpu/cpu.cfs_quota_us", without its end.
 * Returns false if the file does not exist.
 */
bool cgroup_read(const char *root, const char *name, char line[CGROUP_LINE_BYTES]);

/* Whether there are cgroups at all, so that a limit that cannot be read may exist. */
bool cgroup_is_mounted(const char *root);

#endif
