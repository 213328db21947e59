#include "base/dns.h"

#include "base/ascii.h"

/* Labels, with dots between them. Each begins and ends with a letter or digit. */
static bool are_labels(struct slice name)
{
    char before = '.';
    for (size_t i = 0; i < name.length; i++) {
        char byte = name.bytes[i];
        bool is_inside = before != '.' && (byte == '-' || (byte == '.' && before != '-'));
        if (!ascii_is_lower_alphanumeric(byte) && !is_inside)
            return false;
        before = byte;
    }
    return before != '.' && before != '-';
}

bool dns_is_label(struct slice name)
{
    return name.length <= DNS_LABEL_BYTES_MAX && are_labels(name) && !slice_contains(name, '.');
}

bool dns_is_subdomain(struct slice name)
{
    return name.length <= DNS_SUBDOMAIN_BYTES_MAX && are_labels(name);
}
