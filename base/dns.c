#include "base/dns.h"

#include "base/ascii.h"

static bool is_label(struct slice name)
{
    for (size_t i = 0; i < name.length; i++) {
        bool is_at_an_end = i == 0 || i + 1 == name.length;
        if (!ascii_is_lower_alphanumeric(name.bytes[i]) && (name.bytes[i] != '-' || is_at_an_end))
            return false;
    }
    return name.length > 0;
}

bool dns_is_label(struct slice name)
{
    return name.length <= DNS_LABEL_BYTES_MAX && is_label(name);
}

bool dns_is_subdomain(struct slice name)
{
    if (name.length > DNS_SUBDOMAIN_BYTES_MAX)
        return false;
    for (size_t end = slice_find(name, '.'); end < name.length; end = slice_find(name, '.')) {
        if (!is_label(slice_until(name, end)))
            return false;
        name = slice_from(name, end + 1);
    }
    return is_label(name);
}
