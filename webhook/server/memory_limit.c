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

size_t memory_limit_of_container(void)
{
    char line[CGROUP_LINE_BYTES];
    return cgroup_read("/sys/fs/cgroup/memory.max", line) ? MEMORY_OF_CONTAINER(memory_limit_of_text(line))
                                                          : 0;
}
