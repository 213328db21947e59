#include "apply/merge/custom_format.h"

#include "base/array_size.h"
#include "base/base64.h"
#include "base/dns.h"
#include "base/ip.h"
#include "base/text.h"
#include "manifest/timestamp.h"

typedef enum search_answer fits(struct custom_patterns *patterns, struct slice text);

static enum search_answer answer(bool is_yes)
{
    return is_yes ? ANSWER_YES : ANSWER_NO;
}

/* A pattern of a format, which is always at the same address. */
#define MATCH(patterns, literal, text) custom_pattern_matches(patterns, SLICE(literal), text)

/*
 * Addresses
 */

static enum search_answer fits_ipv4(struct custom_patterns *patterns, struct slice text)
{
    struct ip ip;
    (void)patterns;
    return answer(ip_parse(text, &ip) && slice_contains(text, '.'));
}

/* Groups have at most four digits, and an IPv4 address in it has no zeros in front. */
static enum search_answer fits_ipv6(struct custom_patterns *patterns, struct slice text)
{
    struct ip ip;
    if (!ip_parse(text, &ip) || !slice_contains(text, ':'))
        return ANSWER_NO;
    enum search_answer is_sloppy = MATCH(patterns, "[0-9a-fA-F]{5}|:0[0-9]+[.]|[.]0[0-9]", text);
    return is_sloppy == ANSWER_UNKNOWN ? ANSWER_UNKNOWN : answer(is_sloppy == ANSWER_NO);
}

static enum search_answer fits_cidr(struct custom_patterns *patterns, struct slice text)
{
    struct ip ip;
    unsigned prefix_bits;
    (void)patterns;
    return answer(ip_range_parse(text, &ip, &prefix_bits));
}

/* 6, 8 or 20 bytes. Whether they may have nothing between them depends on the version of Go. */
static enum search_answer fits_mac(struct custom_patterns *patterns, struct slice text)
{
    if (MATCH(patterns, "^[0-9a-fA-F]{12,40}$", text) != ANSWER_NO)
        return ANSWER_UNKNOWN;
    return MATCH(
        patterns,
        "^(([0-9a-fA-F]{2}:){5}(([0-9a-fA-F]{2}:){2}(([0-9a-fA-F]{2}:){12})?)?[0-9a-fA-F]{2}"
        "|([0-9a-fA-F]{2}-){5}(([0-9a-fA-F]{2}-){2}(([0-9a-fA-F]{2}-){12})?)?[0-9a-fA-F]{2}"
        "|([0-9a-fA-F]{4}[.]){2}([0-9a-fA-F]{4}[.](([0-9a-fA-F]{4}[.]){6})?)?[0-9a-fA-F]{4})$",
        text);
}

/* Letters and symbols beyond ASCII may be in it, too. */
static enum search_answer fits_hostname(struct custom_patterns *patterns, struct slice text)
{
    enum search_answer matches = MATCH(
        patterns,
        "^([a-zA-Z0-9$+<=>^`|~](-?[a-zA-Z0-9$+<=>^`|~]{0,62})?"
        "|([a-zA-Z0-9$+<=>^`|~]([-a-zA-Z0-9$+<=>^`|~]{0,61}[a-zA-Z0-9$+<=>^`|~])?[.])+[a-zA-Z]{2,63})$",
        text);
    if (text_ascii_length(text) < text.length)
        return ANSWER_UNKNOWN;
    for (struct slice rest = text; rest.length; rest = slice_from(rest, slice_find(rest, '.') + 1)) {
        if (slice_find(rest, '.') > DNS_LABEL_BYTES_MAX)
            return ANSWER_NO;
    }
    return text.length > 255 ? ANSWER_NO : matches;
}

/* Only usual addresses: Go also reads names, comments, quoted texts and domains between brackets. */
static enum search_answer fits_email(struct custom_patterns *patterns, struct slice text)
{
    bool is_usual = MATCH(
                        patterns,
                        "^[-a-zA-Z0-9!#$%&'*+/=?^_`{|}~]+([.][-a-zA-Z0-9!#$%&'*+/=?^_`{|}~]+)*"
                        "@[-a-zA-Z0-9]+([.][-a-zA-Z0-9]+)*$",
                        text) == ANSWER_YES;
    return is_usual ? ANSWER_YES : slice_contains(text, '@') ? ANSWER_UNKNOWN : ANSWER_NO;
}

/*
 * URIs (Go's url.ParseRequestURI)
 */

static bool has_controls(struct slice text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char byte = (unsigned char)text.bytes[i];
        if (byte < ' ' || byte == 0x7f)
            return true;
    }
    return false;
}

/* The length of the scheme with its colon. */
static size_t scheme_length(struct slice text)
{
    size_t colon = slice_find(text, ':');
    if (colon == text.length || !colon || !ascii_is_letter(text.bytes[0]))
        return 0;
    for (size_t i = 1; i < colon; i++) {
        char byte = text.bytes[i];
        if (!ascii_is_alphanumeric(byte) && byte != '+' && byte != '-' && byte != '.')
            return 0;
    }
    return colon + 1;
}

static bool are_escapes_valid(struct slice path)
{
    while (slice_contains(path, '%')) {
        path = slice_from(path, slice_find(path, '%') + 1);
        if (path.length < 2 || ascii_hex_value(path.bytes[0]) > 15 || ascii_hex_value(path.bytes[1]) > 15)
            return false;
    }
    return true;
}

/* Knows usual hosts; users and addresses between brackets are left to Go. */
static enum search_answer fits_uri(struct custom_patterns *patterns, struct slice text)
{
    size_t scheme = scheme_length(text);
    struct slice path = slice_from(slice_until(text, slice_find(text, '?')), scheme);
    enum search_answer has_host = ANSWER_YES;
    if (has_controls(text) || !text.length)
        return ANSWER_NO;
    if (!slice_starts_with(path, SLICE("/")))
        return answer(scheme || slice_equal(text, SLICE("*")));
    if (scheme && slice_starts_with(path, SLICE("//"))) {
        path = slice_from(path, 2);
        struct slice host = slice_until(path, slice_find(path, '/'));
        path = slice_from(path, host.length);
        if (MATCH(patterns, "^[-a-zA-Z0-9._]*(:[0-9]*)?$", host) != ANSWER_YES)
            has_host = ANSWER_UNKNOWN;
    }
    return are_escapes_valid(path) ? has_host : ANSWER_NO;
}

/*
 * Times
 */

static enum search_answer fits_date(struct custom_patterns *patterns, struct slice text)
{
    (void)patterns;
    return answer(timestamp_is_date(text));
}

static size_t find_t(struct slice text)
{
    size_t lower = slice_find(text, 't'), upper = slice_find(text, 'T');
    return lower < upper ? lower : upper;
}

/* Behind another T, there may be anything. */
static enum search_answer fits_datetime(struct custom_patterns *patterns, struct slice text)
{
    struct slice time = slice_from(text, find_t(text) + 1);
    if (!timestamp_is_date(slice_until(text, find_t(text))))
        return ANSWER_NO;
    return MATCH(
        patterns, "^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](.[0-9]+)?([zZ]|[-+][0-9]{2}:[0-9]{2})$",
        slice_until(time, find_t(time)));
}

/* Numbers with units anywhere in the text, as Scala writes them, or a duration of Go. */
#define UNIT                                                                                                 \
    "[0-9][ \t\n\f\r]*"                                                                                      \
    "(([nNuUmM]?[sS]|[mMhHdDwW]|[hH][rR]|[wW][kK])([^a-zA-Z]|$)|[nN][aA][nN][oO]|[mM][iI][cC][rR][oO]"       \
    "|[mM][iI][lL][lL][iI]|[sS][eE][cC]|[mM][iI][nN]|[hH][oO][uU][rR]|[dD][aA][yY]|[wW][eE][eE][kK])"

static enum search_answer fits_duration(struct custom_patterns *patterns, struct slice text)
{
    /* Numbers that may overflow, and numbers in a form that only Go reads. */
    enum search_answer is_odd = MATCH(patterns, "[0-9]{19}|[0-9][.][a-zA-Z]", text);
    if (text_ascii_length(text) < text.length || is_odd != ANSWER_NO)
        return ANSWER_UNKNOWN;
    return MATCH(patterns, "^[-+]?0$|" UNIT, text);
}

/*
 * Others
 */

static enum search_answer fits_byte(struct custom_patterns *patterns, struct slice text)
{
    (void)patterns;
    return answer(
        text.length && base64_is_valid(text) && !slice_contains(text, '\n') && !slice_contains(text, '\r'));
}

static enum search_answer fits_short_name(struct custom_patterns *patterns, struct slice text)
{
    (void)patterns;
    return answer(dns_is_label(text));
}

static enum search_answer fits_long_name(struct custom_patterns *patterns, struct slice text)
{
    (void)patterns;
    return answer(dns_is_subdomain(text));
}

static enum search_answer fits_any(struct custom_patterns *patterns, struct slice text)
{
    (void)patterns;
    (void)text;
    return ANSWER_YES;
}

/* Numbers with a checksum. */
static enum search_answer fits_unknown(struct custom_patterns *patterns, struct slice text)
{
    (void)patterns;
    return text.length ? ANSWER_UNKNOWN : ANSWER_NO;
}

#define HEX "[0-9a-fA-F]"
#define COLOR "[ \t\n\f\r]*(0|[1-9][0-9]?|1[0-9][0-9]?|2[0-4][0-9]|25[0-5])[ \t\n\f\r]*"

/* A format has a pattern, or else a function. */
static const struct format {
    struct slice name; /* without dashes */
    struct slice pattern;
    fits *fits;
} formats[] = {
    {SLICE_LITERAL("bsonobjectid"), SLICE_LITERAL("^" HEX "{24}$"), NULL},
    {SLICE_LITERAL("byte"), {NULL, 0}, fits_byte},
    {SLICE_LITERAL("cidr"), {NULL, 0}, fits_cidr},
    {SLICE_LITERAL("creditcard"), {NULL, 0}, fits_unknown},
    {SLICE_LITERAL("date"), {NULL, 0}, fits_date},
    {SLICE_LITERAL("datetime"), {NULL, 0}, fits_datetime},
    {SLICE_LITERAL("duration"), {NULL, 0}, fits_duration},
    {SLICE_LITERAL("email"), {NULL, 0}, fits_email},
    {SLICE_LITERAL("hexcolor"), SLICE_LITERAL("^#?(" HEX "{3}|" HEX "{6})$"), NULL},
    {SLICE_LITERAL("hostname"), {NULL, 0}, fits_hostname},
    {SLICE_LITERAL("ipv4"), {NULL, 0}, fits_ipv4},
    {SLICE_LITERAL("ipv6"), {NULL, 0}, fits_ipv6},
    {SLICE_LITERAL("isbn"), {NULL, 0}, fits_unknown},
    {SLICE_LITERAL("isbn10"), {NULL, 0}, fits_unknown},
    {SLICE_LITERAL("isbn13"), {NULL, 0}, fits_unknown},
    {SLICE_LITERAL("k8slongname"), {NULL, 0}, fits_long_name},
    {SLICE_LITERAL("k8sshortname"), {NULL, 0}, fits_short_name},
    {SLICE_LITERAL("mac"), {NULL, 0}, fits_mac},
    {SLICE_LITERAL("password"), {NULL, 0}, fits_any},
    {SLICE_LITERAL("rgbcolor"), SLICE_LITERAL("^rgb[(]" COLOR "," COLOR "," COLOR "[)]$"), NULL},
    {SLICE_LITERAL("ssn"), SLICE_LITERAL("^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$"), NULL},
    {SLICE_LITERAL("uri"), {NULL, 0}, fits_uri},
    {SLICE_LITERAL("uuid"), SLICE_LITERAL("^" HEX "{8}-?(" HEX "{4}-?){3}" HEX "{12}$"), NULL},
    {SLICE_LITERAL("uuid3"), SLICE_LITERAL("^" HEX "{8}-?" HEX "{4}-?3" HEX "{3}-?" HEX "{4}-?" HEX "{12}$"),
     NULL},
    {SLICE_LITERAL("uuid4"),
     SLICE_LITERAL("^" HEX "{8}-?" HEX "{4}-?4" HEX "{3}-?[89abAB]" HEX "{3}-?" HEX "{12}$"), NULL},
    {SLICE_LITERAL("uuid5"),
     SLICE_LITERAL("^" HEX "{8}-?" HEX "{4}-?5" HEX "{3}-?[89abAB]" HEX "{3}-?" HEX "{12}$"), NULL},
};

static bool has_name(struct slice format, struct slice name)
{
    size_t same = 0;
    for (size_t i = 0; i < format.length; i++) {
        if (format.bytes[i] == '-')
            continue;
        if (same == name.length || name.bytes[same++] != format.bytes[i])
            return false;
    }
    return same == name.length;
}

static const struct format *find(struct slice name)
{
    for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
        if (has_name(name, formats[i].name))
            return &formats[i];
    }
    return NULL;
}

bool custom_format_is_known(struct slice format)
{
    return find(format) != NULL;
}

enum search_answer custom_format_fits(
    struct custom_patterns *patterns, struct slice format, struct slice text)
{
    const struct format *found = find(format);
    if (!found)
        return ANSWER_YES;
    return found->fits ? found->fits(patterns, text) : custom_pattern_matches(patterns, found->pattern, text);
}
