#include "webhook/server/cgroup.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool cgroup_read(const char *root, const char *name, char line[CGROUP_LINE_BYTES])
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof(path), "%s/%s", root, name);
    FILE *file = length > 0 && (size_t)length < sizeof(path) ? fopen(path, "re") : NULL;
    if (!file)
        return false;
    bool is_read = fgets(line, CGROUP_LINE_BYTES, file);
    fclose(file);
    if (is_read)
        line[strcspn(line, "\n")] = '\0';
    return is_read;
}

bool cgroup_is_mounted(const char *root)
{
    return access(root, F_OK) == 0;
}
