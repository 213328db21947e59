#include "webhook/process.h"

#include "webhook/clock.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* The program's name stands in parentheses and may hold some itself, so fields are counted from the last one.
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

/* proc(5): threads is the 20th field, the start 22nd, then the sizes; the state is the 3rd and first here. */
static void read_kernel(struct process_status *status)
{
    char line[1024];
    const char *fields;
    uint64_t threads, start, virtual_bytes, pages;
    if (!read_stat(line, &fields) ||
        sscanf(
            fields,
            " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %" SCNu64 " %*d %" SCNu64
            " %" SCNu64 " %" SCNu64,
            &threads, &start, &virtual_bytes, &pages) != 4)
        return;
    uint64_t ticks = (uint64_t)sysconf(_SC_CLK_TCK);
    uint64_t since_boot = calendar_microseconds(CLOCK_BOOTTIME);
    status->threads = threads;
    status->virtual_bytes = virtual_bytes;
    status->resident_bytes = pages * (uint64_t)sysconf(_SC_PAGESIZE);
    status->started_microseconds =
        calendar_microseconds(CLOCK_REALTIME) - since_boot + start * (1000000 / ticks);
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
    return count > 3 ? count - 3 : 0; /* ".", ".." and the folder's own */
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
