/*
 * memory_limit.h: how much memory this process may use.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_MEMORY_LIMIT_H
#define APPLYGUARD_WEBHOOK_SERVER_MEMORY_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The limit of the container whose cgroup (v2 or v1) is at `root`, minus what the kernel needs; 0: it has
 * none. False if that cannot be read.
 */
bool memory_limit_of_container(const char *root, size_t *bytes);

/*
 * The value of a cgroup's memory.max ("BYTES" or "max") or memory.limit_in_bytes (a huge number: no limit).
 * 0: no limit, or not understood.
 */
size_t memory_limit_of_text(const char *text);

#endif
