#include "base/shell.h"

#include "base/ascii.h"

static bool is_plain(struct slice word)
{
    for (size_t i = 0; i < word.length; i++) {
        char byte = word.bytes[i];
        if (!ascii_is_alphanumeric(byte) && !(byte && strchr("-_./:@%+,", byte)))
            return false;
    }
    return word.length > 0;
}

void shell_append_word(struct text *text, struct slice word)
{
    if (is_plain(word)) {
        text_append(text, word);
        return;
    }
    struct slice rest = text_printable(text->arena, word);
    text_append_string(text, "'");
    while (rest.length) {
        size_t length = slice_find(rest, '\'');
        text_append(text, slice_until(rest, length));
        if (length < rest.length)
            text_append_string(text, "'\\''");
        rest = slice_from(rest, length + 1);
    }
    text_append_string(text, "'");
}
