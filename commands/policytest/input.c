#include "commands/policytest/input.h"

#include "base/file_path.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct slice input_path(const char *base, struct slice path, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    if (path.length && path.bytes[0] != '/')
        text_append(&text, file_path_folder(slice_of(base)));
    text_append_all(&text, path, SLICE("\0"));
    struct slice joined = text_slice(&text);
    return joined.bytes ? slice_until(joined, joined.length - 1) : joined;
}

static int read_all(int file, size_t size, struct arena *arena, struct slice *text, struct error *error)
{
    char *bytes = arena_allocate(arena, size + 1);
    size_t length = 0;
    if (!bytes)
        return error_set_out_of_memory(error);
    while (length < size) {
        ssize_t got = read(file, bytes + length, size - length);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return error_set(error, "%s", strerror(errno));
        length += got > 0 ? (size_t)got : 0;
    }
    *text = (struct slice){bytes, length};
    return 0;
}

static int read_open(int file, size_t limit, struct arena *arena, struct slice *text, struct error *error)
{
    struct stat status;
    if (fstat(file, &status) < 0)
        return error_set(error, "%s", strerror(errno));
    if (S_ISDIR(status.st_mode))
        return error_set(error, "%s", strerror(EISDIR));
    if (!S_ISREG(status.st_mode))
        return error_set(error, "it is no regular file");
    if (status.st_size < 0 || (size_t)status.st_size > limit)
        return error_set(error, "it is larger than %zu bytes", limit);
    return read_all(file, (size_t)status.st_size, arena, text, error);
}

int input_read(const char *path, size_t limit, struct arena *arena, struct slice *text, struct error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return error_set(error, "%s", strerror(errno));
    int result = read_open(file, limit, arena, text, error);
    close(file);
    return result;
}
