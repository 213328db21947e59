/*
 * process.h: reads the kernel's figures about this process.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_PROCESS_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_PROCESS_H

#include <stdint.h>

struct process_status {
    uint64_t cpu_microseconds;
    uint64_t started_microseconds; /* since 1970 UTC, the same at each reading; 0: unknown */
    uint64_t resident_bytes;
    uint64_t virtual_bytes;
    uint64_t threads;
    uint64_t open_files;
    uint64_t max_files;
};

/* Values that cannot be read are 0. */
struct process_status process_read(void);

#endif
