#include "manifest/variable.h"

#include "base/ascii.h"

bool variable_is_in(struct slice text)
{
    size_t dollar = slice_find(text, '$');
    return dollar + 1 < text.length && (text.bytes[dollar + 1] == '{' || text.bytes[dollar + 1] == '(');
}

bool variable_or_template_is_in(struct slice text)
{
    size_t brace = slice_find(text, '{');
    return (brace + 1 < text.length && text.bytes[brace + 1] == '{') || variable_is_in(text);
}

static bool is_word_in_capitals(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if (text.bytes[i] != '_' && ascii_to_lower(text.bytes[i]) == text.bytes[i])
            return false;
    return slice_contains(text, '_');
}

bool variable_is_blank(struct slice text)
{
    return text.length > 2 &&
        ((text.bytes[0] == '<' && text.bytes[text.length - 1] == '>') || is_word_in_capitals(text));
}
