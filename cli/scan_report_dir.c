#include "cli/scan_report_dir.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Readers of a directory, such as the node exporter, take files by the end of their names. */
#define UNFINISHED ".new"

static int fail(const char *path, struct error *error)
{
    return error_set(error, "%s: %s", path, strerror(errno));
}

/* A report is on the disk before it takes the place of the earlier one. */
static bool write_all(FILE *file, struct slice text)
{
    bool is_written = fwrite(text.bytes, 1, text.length, file) == text.length && fflush(file) == 0 &&
        fsync(fileno(file)) == 0;
    return fclose(file) == 0 && is_written;
}

static int write_file(const char *directory, const char *name, const struct text *text, struct error *error)
{
    char path[4096], unfinished[sizeof(path) + sizeof(UNFINISHED)];
    int length = snprintf(path, sizeof(path), "%s/%s", directory, name);
    if (length < 0 || (size_t)length >= sizeof(path)) {
        errno = ENAMETOOLONG;
        return fail(directory, error);
    }
    struct slice all = text_slice(text);
    if (!all.bytes)
        return error_set_out_of_memory(error);
    snprintf(unfinished, sizeof(unfinished), "%s%s", path, UNFINISHED);
    FILE *file = fopen(unfinished, "we");
    if (!file)
        return fail(unfinished, error);
    if (write_all(file, all) && rename(unfinished, path) == 0)
        return 0;
    fail(unfinished, error);
    unlink(unfinished);
    return -1;
}

static int write_files(
    const char *directory, const struct scan_summary *summary, uint64_t seconds, struct arena *arena,
    struct error *error)
{
    int64_t now = (int64_t)time(NULL);
    struct text report = text_start(arena, 16384), sums = text_start(arena, 16384),
                metrics = text_start(arena, 8192);
    scan_append_text(&report, summary, &(struct scan_text){.now = now});
    scan_append_summary(&sums, summary);
    scan_append_metrics(&metrics, summary, now, seconds);
    if (write_file(directory, "report.txt", &report, error) < 0 ||
        write_file(directory, "summary.json", &sums, error) < 0)
        return -1;
    return write_file(directory, "metrics.prom", &metrics, error);
}

int scan_write_report(
    const char *directory, const struct scan_summary *summary, uint64_t seconds, struct error *error)
{
    struct arena *arena = arena_create();
    int result =
        arena ? write_files(directory, summary, seconds, arena, error) : error_set_out_of_memory(error);
    arena_destroy(arena);
    return result;
}
