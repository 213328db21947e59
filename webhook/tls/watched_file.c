#include "webhook/tls/watched_file.h"

#include "system/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Two changes within the granularity of a file system's timestamps look like one. */
#define RECENT_SECONDS 2

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same_status(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
        same_time(a->st_mtim, b->st_mtim) && same_time(a->st_ctim, b->st_ctim);
}

bool watched_file_is_same(const struct watched_file *file)
{
    struct stat now;
    return file->was_read && !file->was_recent && stat(file->path, &now) == 0 &&
        same_status(&now, &file->status);
}

static int read_failed(const struct watched_file *file, int reason, struct error *error)
{
    if (reason == ENOMEM)
        return error_set_out_of_memory(error);
    if (reason == EFBIG)
        return error_set(error, "%s (%s) is larger than %zu bytes", file->path, file->flag, file->limit);
    return error_set(error, "cannot read %s (%s): %s", file->path, file->flag, strerror(reason));
}

static int read_open_file(
    struct watched_file *file, int descriptor, struct secret *content, struct error *error)
{
    if (fstat(descriptor, &file->status) != 0)
        return read_failed(file, errno, error);
    int reason = secret_read(descriptor, file->limit, content);
    file->was_read = reason == 0 || reason == EFBIG;
    file->was_recent = calendar_seconds() - file->status.st_mtim.tv_sec < RECENT_SECONDS;
    return reason ? read_failed(file, reason, error) : 0;
}

int watched_file_read(struct watched_file *file, struct secret *content, struct error *error)
{
    *content = (struct secret){0};
    file->was_read = false;
    int descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return read_failed(file, errno, error);
    int result = read_open_file(file, descriptor, content, error);
    close(descriptor);
    return result;
}
