#include "commands/check/samples.h"

#include "base/array_size.h"
#include "base/split.h"

#include <string.h>

/* docs/check.md has the same names, for users. */
static const char *const folders[] = {"demo",    "demos",    "doc",      "docs",     "e2e",
                                      "example", "examples", "fixtures", "sample",   "samples",
                                      "test",    "tests",    "tutorial", "tutorials"};

bool is_sample(const char *name, const char *path)
{
    const size_t start = strlen(name);
    struct slice rest = slice_of(path + (start < strlen(path) ? start : strlen(path)));
    while (slice_contains(rest, '/'))
        if (slice_is_one_of(split_next(&rest, '/'), folders, ARRAY_SIZE(folders)))
            return true;
    return false;
}
