/*
 * ip.h: IP addresses and ranges of them, as the API server reads them in fields that are older than its
 * strict validation (ParseIPSloppy, ParseCIDRSloppy): numbers may have zeros in front.
 */
#ifndef APPLYGUARD_BASE_IP_H
#define APPLYGUARD_BASE_IP_H

#include "base/slice.h"

#include <stdbool.h>

#define IP_V4_BYTES 4
#define IP_V6_BYTES 16

struct ip {
    unsigned char bytes[IP_V6_BYTES];
    size_t length; /* IP_V4_BYTES or IP_V6_BYTES */
};

/* Parses 10.9.8.7 or 2001:db8::1. False for anything else. */
bool ip_parse(struct slice text, struct ip *ip);

/* Parses 10.9.8.0/24 or 2001:db8::/64. False for anything else. */
bool ip_range_parse(struct slice text, struct ip *ip, unsigned *prefix_bits);

/* Whether both are of one family and have the same first bits. */
bool ip_has_prefix(const struct ip *ip, const struct ip *prefix, unsigned prefix_bits);

/* An IPv4 address that is written as an IPv6 address: ::ffff:10.9.8.7. */
bool ip_is_mapped(const struct ip *ip);

#endif
