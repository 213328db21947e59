#include "cli/split.h"

static struct slice skip_space(struct slice input)
{
    while (input.length && strchr(" \t\r\n", input.bytes[0]) && input.bytes[0])
        input = slice_from(input, 1);
    return input;
}

/* Returns the length from the opening quote to the end of the closing one. */
static size_t string_length(struct slice input)
{
    for (size_t i = 1; i < input.length; i++) {
        if (input.bytes[i] == '"')
            return i + 1;
        if (input.bytes[i] == '\\')
            i++;
    }
    return input.length;
}

static size_t object_length(struct slice input)
{
    size_t open = 0;
    for (size_t i = 0; i < input.length; i++) {
        char byte = input.bytes[i];
        if (byte == '"') {
            i += string_length(slice_from(input, i)) - 1;
        } else if (byte == '{') {
            open++;
        } else if (byte == '}') {
            open--;
            if (open == 0)
                return i + 1;
        }
    }
    return input.length;
}

struct slice split_first(struct slice *input)
{
    struct slice rest = skip_space(*input);
    size_t length = rest.length && rest.bytes[0] == '{' ? object_length(rest) : rest.length;
    *input = skip_space(slice_from(rest, length));
    return (struct slice){rest.bytes, length};
}
