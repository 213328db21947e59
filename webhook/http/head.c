#include "webhook/http/head.h"

#include <stdbool.h>

struct seen {
    bool length;
    bool host;
    bool encoding;
};

/* Takes the next line off the input, without its line end. Returns false if the line end is not CRLF. */
static bool take_line(struct slice *input, struct slice *line)
{
    const char *newline = input->length ? memchr(input->bytes, '\n', input->length) : NULL;
    if (!newline || newline == input->bytes || newline[-1] != '\r')
        return false;
    *line = (struct slice){input->bytes, (size_t)(newline - input->bytes) - 1};
    *input = slice_from(*input, line->length + 2);
    return true;
}

static bool is_named(struct slice line, struct slice name)
{
    return line.length > name.length && line.bytes[name.length] == ':' &&
        slice_equal_in_any_case(slice_until(line, name.length), name);
}

/* Returns false if the header was seen before. */
static bool note(bool *seen)
{
    bool is_first = !*seen;
    *seen = true;
    return is_first;
}

static bool check_field(struct slice line, struct seen *seen)
{
    switch (line.bytes[0]) {
    case ' ':
    case '\t':
        return false;
    case 'c':
    case 'C':
        return !is_named(line, SLICE("content-length")) || note(&seen->length);
    case 'h':
    case 'H':
        return !is_named(line, SLICE("host")) || note(&seen->host);
    case 't':
    case 'T':
        return !is_named(line, SLICE("transfer-encoding")) || note(&seen->encoding);
    default:
        return true;
    }
}

enum head head_check(struct slice input)
{
    struct seen seen = {0};
    struct slice line;
    /* One empty line may come before a request. */
    if (slice_starts_with(input, SLICE("\r\n")))
        input = slice_from(input, 2);
    if (!take_line(&input, &line))
        return HEAD_AMBIGUOUS;
    while (take_line(&input, &line)) {
        if (line.length == 0 && seen.encoding)
            return seen.length ? HEAD_AMBIGUOUS : HEAD_WITHOUT_LENGTH;
        if (line.length == 0)
            return HEAD_PLAIN;
        if (!check_field(line, &seen))
            return HEAD_AMBIGUOUS;
    }
    return HEAD_AMBIGUOUS;
}
