#include "commands/check/ytt.h"

#include "base/array_size.h"
#include "base/slice.h"
#include "base/split.h"

#include <fcntl.h>
#include <unistd.h>

/* A template loads modules, defines functions or says what it is before its first values. */
#define START_BYTES 8192

/* Helm's generators of documents have a space before the @. */
static bool is_code(struct slice line)
{
    static const struct slice starts[] = {
        SLICE_LITERAL("#@ load("),   SLICE_LITERAL("#@load("),       SLICE_LITERAL("#@ def "),
        SLICE_LITERAL("#@overlay/"), SLICE_LITERAL("#@data/values"), SLICE_LITERAL("#@schema/"),
        SLICE_LITERAL("#@library/"),
    };
    while (line.length && (line.bytes[0] == ' ' || line.bytes[0] == '-'))
        line = slice_from(line, 1);
    for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
        if (slice_starts_with(line, starts[i]))
            return true;
    return false;
}

bool is_ytt_template(const char *path)
{
    char start[START_BYTES];
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    const ssize_t length = read(file, start, sizeof(start));
    close(file);
    struct slice rest = {start, length > 0 ? (size_t)length : 0};
    while (rest.length)
        if (is_code(split_next(&rest, '\n')))
            return true;
    return false;
}
