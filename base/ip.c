#include "base/ip.h"

#include "base/ascii.h"
#include "base/digits.h"
#include "base/find.h"

#include <stdint.h>

#define GROUPS 8

static bool parse_hexadecimal(struct slice text, unsigned *number)
{
    *number = 0;
    for (size_t i = 0; i < text.length; i++) {
        unsigned digit = ascii_hex_value(text.bytes[i]);
        if (digit >= 16)
            return false;
        *number = *number * 16 + digit;
        if (*number > UINT16_MAX)
            return false;
    }
    return text.length > 0;
}

static bool parse_v4(struct slice text, unsigned char bytes[IP_V4_BYTES])
{
    for (size_t i = 0; i < IP_V4_BYTES; i++) {
        size_t number;
        bool is_last = i + 1 == IP_V4_BYTES;
        size_t end = slice_find(text, '.');
        if ((end == text.length) != is_last || !digits_parse(slice_until(text, end), &number) ||
            number > UINT8_MAX)
            return false;
        bytes[i] = (unsigned char)number;
        text = slice_from(text, end + 1);
    }
    return true;
}

/* Groups of an IPv6 address, of which an IPv4 address at the end is two. */
struct groups {
    unsigned char bytes[IP_V6_BYTES];
    size_t length;
};

static bool parse_group(struct slice text, bool is_last, struct groups *groups)
{
    unsigned number;
    unsigned char *next = groups->bytes + groups->length;
    if (is_last && slice_contains(text, '.')) {
        groups->length += IP_V4_BYTES;
        return groups->length <= IP_V6_BYTES && parse_v4(text, next);
    }
    if (groups->length == IP_V6_BYTES || !parse_hexadecimal(text, &number))
        return false;
    next[0] = (unsigned char)(number >> 8);
    next[1] = (unsigned char)(number & UINT8_MAX);
    groups->length += 2;
    return true;
}

static bool parse_groups(struct slice text, bool may_end_in_v4, struct groups *groups)
{
    groups->length = 0;
    if (!text.length)
        return true;
    for (size_t count = 0; count < GROUPS; count++) {
        size_t end = slice_find(text, ':');
        bool is_last = end == text.length;
        if (!parse_group(slice_until(text, end), is_last && may_end_in_v4, groups))
            return false;
        if (is_last)
            return true;
        text = slice_from(text, end + 1);
    }
    return false;
}

static bool parse_v6(struct slice text, unsigned char bytes[IP_V6_BYTES])
{
    struct groups first, last = {.length = 0};
    size_t gap = slice_find_text(text, SLICE("::"));
    bool has_gap = gap < text.length;
    if (!parse_groups(slice_until(text, gap), !has_gap, &first) ||
        !parse_groups(slice_from(text, gap + 2), true, &last))
        return false;
    size_t length = first.length + last.length;
    if (has_gap ? length >= IP_V6_BYTES : length != IP_V6_BYTES)
        return false;
    memset(bytes, 0, IP_V6_BYTES);
    memcpy(bytes, first.bytes, first.length);
    memcpy(bytes + IP_V6_BYTES - last.length, last.bytes, last.length);
    return true;
}

bool ip_parse(struct slice text, struct ip *ip)
{
    bool is_v6 = slice_contains(text, ':');
    ip->length = is_v6 ? IP_V6_BYTES : IP_V4_BYTES;
    return is_v6 ? parse_v6(text, ip->bytes) : parse_v4(text, ip->bytes);
}

bool ip_range_parse(struct slice text, struct ip *ip, unsigned *prefix_bits)
{
    size_t slash = slice_find(text, '/'), bits;
    if (slash == text.length || !ip_parse(slice_until(text, slash), ip) ||
        !digits_parse(slice_from(text, slash + 1), &bits) || bits > ip->length * 8)
        return false;
    *prefix_bits = (unsigned)bits;
    return true;
}

bool ip_has_prefix(const struct ip *ip, const struct ip *prefix, unsigned prefix_bits)
{
    size_t whole = prefix_bits / 8;
    unsigned rest = prefix_bits % 8;
    if (ip->length != prefix->length || memcmp(ip->bytes, prefix->bytes, whole) != 0)
        return false;
    return !rest || (ip->bytes[whole] ^ prefix->bytes[whole]) >> (8 - rest) == 0;
}

bool ip_is_mapped(const struct ip *ip)
{
    static const struct ip mapped = {.bytes = {[10] = 0xff, [11] = 0xff}, .length = IP_V6_BYTES};
    return ip_has_prefix(ip, &mapped, 96);
}
