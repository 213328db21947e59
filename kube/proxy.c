#include "kube/proxy.h"

#include "base/array_size.h"
#include "base/digits.h"
#include "base/split.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESS_BITS 128

/* The prefix of all IPv4-mapped addresses. */
static const unsigned char mapped[] = {[10] = 0xff, [11] = 0xff};

/* An IPv4 address is stored as the IPv6 address that maps it. */
struct address {
    unsigned char bytes[ADDRESS_BITS / 8];
};

struct host_and_port {
    struct slice host;
    struct slice port; /* empty: none */
};

/*
 * Parts
 */

/* Splits HOST, HOST:PORT, [IPV6] and [IPV6]:PORT; a bare IPv6 address has no port. */
static struct host_and_port split(struct slice text)
{
    struct host_and_port parts = {.host = text};
    bool is_bracketed = text.length && text.bytes[0] == '[';
    size_t end = slice_find(text, is_bracketed ? ']' : ':');
    if (is_bracketed && end < text.length) {
        parts.host = slice_from(slice_until(text, end), 1);
        end++;
    } else if (end < text.length && memchr(text.bytes + end + 1, ':', text.length - end - 1)) {
        return parts;
    } else {
        parts.host = slice_until(text, end);
    }
    if (end < text.length && text.bytes[end] == ':')
        parts.port = slice_from(text, end + 1);
    return parts;
}

static struct host_and_port split_server(const char *server)
{
    struct slice authority = slice_of(strstr(server, "://") + 3);
    struct host_and_port parts = split(slice_until(authority, slice_find(authority, '/')));
    if (!parts.port.length)
        parts.port = strncmp(server, "https:", 6) == 0 ? SLICE("443") : SLICE("80");
    return parts;
}

/*
 * Addresses
 */

/* Returns false if the text is not an address. `bits` is the number of bits of its kind. */
static bool read_address(struct slice text, struct address *address, unsigned *bits)
{
    char name[INET6_ADDRSTRLEN];
    if (text.length >= sizeof(name))
        return false;
    memcpy(name, text.bytes, text.length);
    name[text.length] = '\0';
    *bits = 32;
    memcpy(address->bytes, mapped, sizeof(mapped));
    if (inet_pton(AF_INET, name, address->bytes + sizeof(mapped)) == 1)
        return true;
    *bits = ADDRESS_BITS;
    return inet_pton(AF_INET6, name, address->bytes) == 1;
}

static bool begin_alike(const struct address *a, const struct address *b, unsigned bits)
{
    unsigned rest = bits % 8;
    unsigned char mask = (unsigned char)(0xff << (8 - rest));
    return memcmp(a->bytes, b->bytes, bits / 8) == 0 &&
        (!rest || ((a->bytes[bits / 8] ^ b->bytes[bits / 8]) & mask) == 0);
}

/* Reads the number behind the slash. Returns false if it is invalid, or too large. */
static bool read_prefix(struct slice text, unsigned most, unsigned *prefix)
{
    size_t number = 0;
    if (text.length > 3 || !digits_parse(text, &number) || number > most)
        return false;
    *prefix = (unsigned)number;
    return true;
}

/* An IPv6 range contains no IPv4 addresses (Go, net: IPNet.Contains), unless it begins with their prefix. */
static bool is_in_range(const struct address *address, struct slice range)
{
    struct address first;
    unsigned bits, prefix;
    bool is_mapped = memcmp(address->bytes, mapped, sizeof(mapped)) == 0;
    size_t slash = slice_find(range, '/');
    if (!read_address(slice_until(range, slash), &first, &bits) ||
        !read_prefix(slice_from(range, slash + 1), bits, &prefix))
        return false;
    prefix += ADDRESS_BITS - bits;
    return (!is_mapped || prefix >= 8 * sizeof(mapped)) && begin_alike(address, &first, prefix);
}

static bool is_loopback(const struct host_and_port *server)
{
    struct address address;
    unsigned bits;
    if (slice_equal_in_any_case(server->host, SLICE("localhost")))
        return true;
    return read_address(server->host, &address, &bits) &&
        (is_in_range(&address, SLICE("127.0.0.0/8")) || is_in_range(&address, SLICE("::1/128")));
}

/*
 * Entries
 */

static bool is_below(struct slice host, struct slice domain)
{
    return host.length > domain.length &&
        slice_equal_in_any_case(slice_from(host, host.length - domain.length), domain);
}

/* A domain with a leading dot contains only its subdomains. */
static bool is_of_domain(struct slice host, struct slice domain)
{
    if (domain.length > 1 && domain.bytes[0] == '*' && domain.bytes[1] == '.')
        domain = slice_from(domain, 1);
    if (!domain.length)
        return false;
    if (domain.bytes[0] == '.')
        return is_below(host, domain);
    return slice_equal_in_any_case(host, domain) ||
        (is_below(host, domain) && host.bytes[host.length - domain.length - 1] == '.');
}

static bool entry_matches(struct slice entry, const struct host_and_port *server)
{
    struct address address, other;
    unsigned bits;
    bool is_address = read_address(server->host, &address, &bits);
    if (slice_equal(entry, SLICE("*")))
        return true;
    if (slice_contains(entry, '/'))
        return is_address && is_in_range(&address, entry);
    struct host_and_port parts = split(entry);
    if (parts.port.length && !slice_equal(parts.port, server->port))
        return false;
    if (read_address(parts.host, &other, &bits))
        return is_address && begin_alike(&address, &other, ADDRESS_BITS);
    return is_of_domain(server->host, parts.host);
}

bool kube_is_direct(const char *server, const char *no_proxy)
{
    struct host_and_port parts = split_server(server);
    struct slice rest = slice_of(no_proxy);
    bool is_direct = is_loopback(&parts);
    while (!is_direct && rest.length)
        is_direct = entry_matches(slice_trim(split_next(&rest, ',')), &parts);
    return is_direct;
}

/*
 * The proxy
 */

static const char *variable(const char *name, const char *lower_case)
{
    const char *value = getenv(name);
    if (!value || !*value)
        value = getenv(lower_case);
    return value ? value : "";
}

const char *kube_proxy_of(const struct kube_config *config)
{
    if (config->proxy_url)
        return config->proxy_url;
    const char *proxy = strncmp(config->server, "https:", 6) == 0 ? variable("HTTPS_PROXY", "https_proxy")
                                                                  : variable("HTTP_PROXY", "http_proxy");
    return kube_is_direct(config->server, variable("NO_PROXY", "no_proxy")) ? "" : proxy;
}

static bool is_scheme_of_proxy(const char *scheme)
{
    static const char *const schemes[] = {"http", "https", "socks", "socks4", "socks4a", "socks5", "socks5h"};
    return slice_is_one_of(slice_of(scheme), schemes, ARRAY_SIZE(schemes));
}

/* Parses the URL with libcurl's own flags. If memory runs out, the URL counts as valid. */
bool kube_is_proxy(const char *url)
{
    char *scheme = NULL;
    CURLU *parsed = *url ? curl_url() : NULL;
    if (!parsed)
        return true;
    CURLUcode code = curl_url_set(parsed, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME);
    if (code == CURLUE_OK)
        code = curl_url_get(parsed, CURLUPART_SCHEME, &scheme, 0);
    bool is_proxy = scheme ? is_scheme_of_proxy(scheme) : code == CURLUE_OUT_OF_MEMORY;
    curl_free(scheme);
    curl_url_cleanup(parsed);
    return is_proxy;
}
