/*
 * memory_limit.h: how much memory this process may use.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_MEMORY_LIMIT_H
#define APPLYGUARD_WEBHOOK_SERVER_MEMORY_LIMIT_H

#include <stddef.h>

/* The container's limit (cgroup v2), minus what the kernel needs; 0: no limit. */
size_t memory_limit_of_container(void);

/* The value of a cgroup's memory.max ("BYTES" or "max"); 0: no limit, or not understood. */
size_t memory_limit_of_text(const char *text);

#endif
