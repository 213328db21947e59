/*
 * memory_limit.h: how much memory this process may use.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_MEMORY_LIMIT_H
#define APPLYGUARD_WEBHOOK_SERVER_MEMORY_LIMIT_H

#include <stddef.h>

/* The container's limit (cgroup v2), less what the kernel needs of it; 0: there is none. */
size_t memory_limit_of_container(void);

/* What a cgroup's memory.max ("BYTES" or "max") says; 0: no limit, or not understood. */
size_t memory_limit_of_text(const char *text);

#endif
