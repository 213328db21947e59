#include "webhook/server/cgroup.h"

#include <stdio.h>

bool cgroup_read(const char *path, char line[CGROUP_LINE_BYTES])
{
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool is_read = fgets(line, CGROUP_LINE_BYTES, file);
    fclose(file);
    return is_read;
}
