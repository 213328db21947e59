#include "commands/check/samples.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/split.h"

#include <string.h>

/* docs/check.md has the same words, for users. */
static const char *const words[] = {
    "archive",  "archived", "benchmark",     "benchmarks", "conformance", "demo",     "demos",
    "doc",      "docs",     "documentation", "e2e",        "example",     "examples", "fixture",
    "fixtures", "hack",     "mock",          "mocks",      "sample",      "samples",  "snippet",
    "snippets", "test",     "testing",       "tests",      "third",       "tutorial", "tutorials",
};

static struct slice next_word(struct slice *name, char *lower, size_t size)
{
    size_t start = 0, length = 0;
    while (start < name->length && !ascii_is_alphanumeric(name->bytes[start]))
        start++;
    while (start + length < name->length && ascii_is_alphanumeric(name->bytes[start + length])) {
        if (length < size)
            lower[length] = ascii_to_lower(name->bytes[start + length]);
        length++;
    }
    *name = slice_from(*name, start + length);
    return (struct slice){lower, length < size ? length : 0};
}

/* Such as docs, olm-samples, configsamples, test_charts and third_party. */
static bool is_sample_folder(struct slice name)
{
    char lower[16];
    while (name.length) {
        const struct slice word = next_word(&name, lower, sizeof(lower));
        if (slice_is_one_of(word, words, ARRAY_SIZE(words)) || slice_ends_with(word, SLICE("samples")) ||
            slice_ends_with(word, SLICE("examples")))
            return true;
    }
    return false;
}

bool is_sample(const char *name, const char *path)
{
    const size_t start = strlen(name);
    struct slice rest = slice_of(path + (start < strlen(path) ? start : strlen(path)));
    while (slice_contains(rest, '/'))
        if (is_sample_folder(split_next(&rest, '/')))
            return true;
    return false;
}
