#include "audit/request_uri.h"

#include "base/ascii.h"
#include "base/split.h"
#include "base/text.h"

/* The byte of an escape of two digits at the start; returns -1 if it is invalid. */
static int escaped(struct slice text)
{
    if (text.length < 3 || text.bytes[0] != '%')
        return -1;
    unsigned high = ascii_hex_value(text.bytes[1]), low = ascii_hex_value(text.bytes[2]);
    return high > 15 || low > 15 ? -1 : (int)(high * 16 + low);
}

/*
 * Returns false if a percent sign does not begin an escape. Copies only texts with escapes: a URI may have a
 * million names of one byte each.
 */
static bool unescape(struct slice text, struct arena *arena, struct slice *plain)
{
    *plain = text;
    if (!slice_contains(text, '%') && !slice_contains(text, '+'))
        return true;
    struct text unescaped = text_start(arena, text.length);
    while (text.length) {
        int code = escaped(text);
        const unsigned char byte = (unsigned char)code;
        if (code < 0 && text.bytes[0] == '%')
            return false;
        if (code >= 0)
            text_append(&unescaped, (struct slice){(const char *)&byte, 1});
        else
            text_append(&unescaped, text.bytes[0] == '+' ? SLICE(" ") : slice_until(text, 1));
        text = slice_from(text, code >= 0 ? 3 : 1);
    }
    *plain = text_slice(&unescaped);
    return true;
}

/* NAME=VALUE. Returns false for pairs that Go's net/url ignores (ParseQuery). */
static bool read_pair(struct slice pair, struct arena *arena, struct slice *name, struct slice *value)
{
    size_t equals = slice_find(pair, '=');
    return !slice_contains(pair, ';') && unescape(slice_until(pair, equals), arena, name) &&
        unescape(slice_from(pair, equals + 1), arena, value);
}

/* apimachinery, pkg/runtime: Convert_Slice_string_To_bool. */
static bool is_true(struct slice value)
{
    return !slice_equal(value, SLICE("0")) && !slice_equal_in_any_case(value, SLICE("false"));
}

struct request_options request_options_read(struct slice uri, struct arena *arena)
{
    struct request_options options = {0};
    bool has_manager = false;
    struct slice rest = slice_from(uri, slice_find(uri, '?') + 1);
    while (rest.length) {
        struct slice pair = split_next(&rest, '&'), name, value;
        if (!read_pair(pair, arena, &name, &value))
            continue;
        if (slice_equal(name, SLICE("fieldManager")) && !has_manager) {
            options.manager = value;
            has_manager = true;
        } else if (slice_equal(name, SLICE("force")) && !options.has_force) {
            options.is_forced = is_true(value);
            options.has_force = true;
        } else if (slice_equal(name, SLICE("dryRun"))) {
            options.is_dry_run |= slice_equal(value, SLICE("All"));
        }
    }
    return options;
}
