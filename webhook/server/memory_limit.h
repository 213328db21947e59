/*
 * memory_limit.h: how much memory this process may use.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_MEMORY_LIMIT_H
#define APPLYGUARD_WEBHOOK_SERVER_MEMORY_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The limit of the container whose cgroup (v2 or v1) is at `root`, minus the part that the kernel needs; 0:
 * it has none. Returns false if it cannot be read.
 */
bool memory_limit_of_container(const char *root, size_t *bytes);

/*
 * The value of a cgroup's memory.max ("BYTES" or "max") or memory.limit_in_bytes (a huge number: no limit). 0
 * for no limit, or invalid text.
 */
size_t memory_limit_of_text(const char *text);

#endif
