#include "webhook/telemetry/process.h"

#include "system/clock.h"

#include <dirent.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/*
 * The program's name is in parentheses and may contain parentheses itself, so fields are counted from the
 * last one.
 */
static bool read_stat(char line[1024], const char **fields)
{
    FILE *file = fopen("/proc/self/stat", "re");
    if (!file)
        return false;
    bool read = fgets(line, 1024, file) != NULL;
    fclose(file);
    char *end = read ? strrchr(line, ')') : NULL;
    *fields = end ? end + 1 : NULL;
    return end != NULL;
}

static uint64_t calendar_microseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

/* As proc(5) numbers them. The 3rd, the state, is a letter; from the 4th on all fields are numbers. */
enum {
    FIELD_PARENT = 4,
    FIELD_THREADS = 20,
    FIELD_START = 22,
    FIELD_VIRTUAL_BYTES,
    FIELD_RESIDENT_PAGES,
    FIELDS
};

static bool read_numbers(const char *text, uint64_t fields[FIELDS])
{
    text += strcspn(text, "0123456789");
    for (int field = FIELD_PARENT; field < FIELDS; field++) {
        char *end;
        fields[field] = strtoull(text, &end, 10);
        if (end == text)
            return false;
        text = end;
    }
    return true;
}

/*
 * The first result is kept. It comes from two clocks, read one after the other, so a later result may differ
 * by a microsecond, and by more after the time was set: a monitoring system would count one more start.
 */
static uint64_t keep_start(uint64_t microseconds)
{
    static atomic_uint_fast64_t kept;
    uint_fast64_t known = 0;
    return atomic_compare_exchange_strong(&kept, &known, microseconds) ? microseconds : known;
}

static void read_kernel(struct process_status *status)
{
    char line[1024];
    const char *behind_name;
    uint64_t fields[FIELDS];
    if (!read_stat(line, &behind_name) || !read_numbers(behind_name, fields))
        return;
    uint64_t ticks = (uint64_t)sysconf(_SC_CLK_TCK);
    uint64_t since_boot = calendar_microseconds(CLOCK_BOOTTIME);
    status->threads = fields[FIELD_THREADS];
    status->virtual_bytes = fields[FIELD_VIRTUAL_BYTES];
    status->resident_bytes = fields[FIELD_RESIDENT_PAGES] * (uint64_t)sysconf(_SC_PAGESIZE);
    status->started_microseconds = keep_start(
        calendar_microseconds(CLOCK_REALTIME) - since_boot + fields[FIELD_START] * (1000000 / ticks));
}

static uint64_t count_open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    uint64_t count = 0;
    if (!folder)
        return 0;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count > 3 ? count - 3 : 0; /* ".", ".." and the folder that is read */
}

struct process_status process_read(void)
{
    struct process_status status = {.cpu_microseconds = calendar_microseconds(CLOCK_PROCESS_CPUTIME_ID)};
    struct rlimit files;
    read_kernel(&status);
    status.open_files = count_open_files();
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        status.max_files = files.rlim_cur;
    return status;
}
