#include "system/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BYTES ((size_t)64 * 1024)

static int grow(char **bytes, size_t *capacity, size_t limit)
{
    size_t grown = *capacity ? *capacity * 2 : FIRST_BYTES;
    if (grown > limit + 1)
        grown = limit + 1;
    char *moved = realloc(*bytes, grown);
    if (!moved)
        return -1;
    *bytes = moved;
    *capacity = grown;
    return 0;
}

/* Reads one byte more than the limit: a file of exactly the limit is allowed, a larger one is not. */
static int read_all(int file, size_t limit, char **bytes, size_t *length, struct error *error)
{
    size_t capacity = 0;
    for (;;) {
        if (*length > limit)
            return error_set(error, "it is larger than %zu bytes", limit);
        if (*length == capacity && grow(bytes, &capacity, limit) < 0)
            return error_set_out_of_memory(error);
        ssize_t got = read(file, *bytes + *length, capacity - *length);
        if (got == 0)
            return 0;
        if (got < 0 && errno != EINTR)
            return error_set(error, "%s", strerror(errno));
        *length += got > 0 ? (size_t)got : 0;
    }
}

int file_read(const char *path, size_t limit, struct file_content *content, struct error *error)
{
    bool is_standard_input = strcmp(path, "-") == 0;
    int file = is_standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return error_set_file(error, path, errno);
    char *bytes = NULL;
    size_t length = 0;
    int result = read_all(file, limit, &bytes, &length, error);
    if (!is_standard_input)
        close(file);
    if (result < 0) {
        free(bytes);
        return -1;
    }
    *content = (struct file_content){bytes, length};
    return 0;
}
