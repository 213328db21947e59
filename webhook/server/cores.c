#include "webhook/server/cores.h"

#include "webhook/server/cgroup.h"

#include <limits.h>
#include <sched.h>
#include <stdlib.h>

unsigned cores_of_quota(const char *text)
{
    char *end;
    unsigned long long quota = strtoull(text, &end, 10), period = strtoull(end, NULL, 10);
    if (period == 0 || quota == 0)
        return 0;
    unsigned long long cores = quota / period + (quota % period != 0);
    return cores > UINT_MAX ? UINT_MAX : (unsigned)cores;
}

static unsigned cores_of_container(void)
{
    char line[CGROUP_LINE_BYTES];
    return cgroup_read("/sys/fs/cgroup/cpu.max", line) ? cores_of_quota(line) : 0;
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
    unsigned limit = cores_of_container();
    return limit && limit < allowed ? limit : allowed;
}
