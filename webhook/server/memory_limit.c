#include "webhook/server/memory_limit.h"

#include "base/values.h"
#include "webhook/server/cgroup.h"
#include "webhook/server/settings.h"

#include <string.h>

size_t memory_limit_of_text(const char *text)
{
    char digits[24] = "";
    uint64_t bytes;
    size_t length = strcspn(text, "\n");
    if (length >= sizeof(digits))
        return 0;
    memcpy(digits, text, length);
    return number_parse(digits, LEAST_MEMORY_LIMIT, MOST_MEMORY_LIMIT, &bytes) ? 0 : (size_t)bytes;
}

bool memory_limit_of_container(const char *root, size_t *bytes)
{
    char line[CGROUP_LINE_BYTES];
    *bytes = 0;
    if (!cgroup_read(root, "memory.max", line) && !cgroup_read(root, "memory/memory.limit_in_bytes", line))
        return false;
    *bytes = MEMORY_OF_CONTAINER(memory_limit_of_text(line));
    return true;
}
