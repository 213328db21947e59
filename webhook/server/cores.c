#include "webhook/server/cores.h"

#include "webhook/server/cgroup.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

unsigned cores_of_quota(const char *text)
{
    char *end;
    if (*text == '-') /* strtoull would wrap it into a huge number */
        return 0;
    unsigned long long quota = strtoull(text, &end, 10), period = strtoull(end, NULL, 10);
    if (period == 0 || quota == 0)
        return 0;
    unsigned long long cores = quota / period + (quota % period != 0);
    return cores > UINT_MAX ? UINT_MAX : (unsigned)cores;
}

unsigned cores_of_container(const char *root)
{
    char quota[CGROUP_LINE_BYTES], period[CGROUP_LINE_BYTES], both[2 * CGROUP_LINE_BYTES];
    if (cgroup_read(root, "cpu.max", both))
        return cores_of_quota(both);
    if (!cgroup_read(root, "cpu/cpu.cfs_quota_us", quota) ||
        !cgroup_read(root, "cpu/cpu.cfs_period_us", period))
        return 0;
    snprintf(both, sizeof(both), "%s %s", quota, period);
    return cores_of_quota(both);
}

static unsigned cores_of_affinity(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) != 0)
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (unsigned)count : 1;
}

unsigned cores_usable(void)
{
    unsigned allowed = cores_of_affinity();
    unsigned limit = cores_of_container(CGROUP_ROOT);
    return limit && limit < allowed ? limit : allowed;
}
