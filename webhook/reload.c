#include "webhook/reload.h"

#include "webhook/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two changes within the granularity of a file system's times look like one. */
#define RECENT_SECONDS 2

void policy_file_init(struct policy_file *file, const char *path)
{
    *file = (struct policy_file){.path = path};
}

void policy_file_release(struct policy_file *file)
{
    free(file->content);
    *file = (struct policy_file){0};
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same_status(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
        same_time(a->st_mtim, b->st_mtim) && same_time(a->st_ctim, b->st_ctim);
}

/* Reads `file` to its end, or to more than a policy may have. False with errno set. */
static bool read_to_end(int file, char *content, size_t capacity, size_t *length)
{
    for (*length = 0; *length < capacity;) {
        ssize_t got = read(file, content + *length, capacity - *length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            return true;
        *length += (size_t)got;
    }
    return true;
}

struct reading {
    struct stat status;
    char *content;
    size_t length;
};

static int read_failed(const struct policy_file *file, int reason, struct error *error)
{
    return error_set(error, "cannot read %s (--policy): %s", file->path, strerror(reason));
}

static int read_open_file(
    const struct policy_file *file, int descriptor, struct reading *reading, struct error *error)
{
    if (fstat(descriptor, &reading->status) != 0)
        return read_failed(file, errno, error);
    if (S_ISDIR(reading->status.st_mode))
        return read_failed(file, EISDIR, error);
    size_t capacity = POLICY_FILE_BYTES_MAX + 1;
    reading->content = malloc(capacity);
    if (!reading->content)
        return error_set(error, "out of memory");
    if (!read_to_end(descriptor, reading->content, capacity, &reading->length)) {
        int reason = errno;
        free(reading->content);
        reading->content = NULL;
        return read_failed(file, reason, error);
    }
    return 0;
}

static int read_file(const struct policy_file *file, struct reading *reading, struct error *error)
{
    int descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return read_failed(file, errno, error);
    int result = read_open_file(file, descriptor, reading, error);
    close(descriptor);
    return result;
}

static bool looks_unchanged(const struct policy_file *file)
{
    struct stat now;
    return file->content && !file->was_recent && stat(file->path, &now) == 0 &&
        same_status(&now, &file->status);
}

static void remember(struct policy_file *file, struct reading *reading)
{
    free(file->content);
    file->content = reading->content;
    file->length = reading->length;
}

static bool same_content(const struct policy_file *file, const struct reading *reading)
{
    return file->content && reading->content && file->length == reading->length &&
        memcmp(file->content, reading->content, reading->length) == 0;
}

static enum reload_result load(const struct policy_file *file, struct policy **policy, struct error *error)
{
    struct error where = {0};
    if (file->length > POLICY_FILE_BYTES_MAX) {
        error_set(error, "%s (--policy) is larger than %zu bytes", file->path, POLICY_FILE_BYTES_MAX);
        return RELOAD_FAILED;
    }
    *policy = policy_load((struct slice){file->content, file->length}, &where);
    if (*policy)
        return RELOAD_NEW;
    if (where.line)
        error_set(error, "%s:%u:%u: %s", file->path, where.line, where.column, where.message);
    else
        error_set(error, "%s: %s", file->path, where.message);
    return RELOAD_FAILED;
}

/* What cannot be read is reported once, then only when it is asked for or can be read again. */
static enum reload_result unreadable(struct policy_file *file, bool is_forced)
{
    bool is_news = is_forced || file->content;
    free(file->content);
    file->content = NULL;
    file->length = 0;
    return is_news ? RELOAD_FAILED : RELOAD_UNCHANGED;
}

enum reload_result policy_file_reload(
    struct policy_file *file, bool is_forced, struct policy **policy, struct error *error)
{
    struct reading reading = {.content = NULL};
    if (!file->path || (!is_forced && looks_unchanged(file)))
        return RELOAD_UNCHANGED;
    if (read_file(file, &reading, error) != 0)
        return unreadable(file, is_forced);
    file->status = reading.status;
    file->was_recent = calendar_seconds() - reading.status.st_mtim.tv_sec < RECENT_SECONDS;
    bool is_same = same_content(file, &reading);
    remember(file, &reading);
    return is_same && !is_forced ? RELOAD_UNCHANGED : load(file, policy, error);
}
