#include "base/qualified_name.h"

#include "base/ascii.h"
#include "base/dns.h"

#define NAME_BYTES_MAX 63

static bool is_name(struct slice text)
{
    if (text.length == 0 || text.length > NAME_BYTES_MAX || !ascii_is_alphanumeric(text.bytes[0]) ||
        !ascii_is_alphanumeric(text.bytes[text.length - 1]))
        return false;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        if (!ascii_is_alphanumeric(byte) && byte != '-' && byte != '_' && byte != '.')
            return false;
    }
    return true;
}

bool qualified_name_is_valid(struct slice text)
{
    size_t slash = slice_find(text, '/');
    if (slash == text.length)
        return is_name(text);
    return dns_is_subdomain(slice_until(text, slash)) && is_name(slice_from(text, slash + 1));
}

bool label_value_is_valid(struct slice text)
{
    return text.length == 0 || is_name(text);
}
