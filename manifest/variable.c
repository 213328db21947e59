#include "manifest/variable.h"

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

bool variable_is_blank(struct slice text)
{
    return text.length > 2 && text.bytes[0] == '<' && text.bytes[text.length - 1] == '>';
}
