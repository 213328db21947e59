#include "manifest/flow_colons.h"

#include "base/find.h"
#include "base/text.h"

#include <string.h>

/* Private use characters, U+E000 to U+E03F. */
#define STAND_INS 64

/* Returns false if the text contains all of them. */
static bool choose_stand_in(struct slice text, struct flow_colons *colons)
{
    for (unsigned i = 0; i < STAND_INS; i++) {
        const char bytes[FLOW_COLON_BYTES] = {'\xee', '\x80', (char)(0x80 + i)};
        memcpy(colons->stand_in, bytes, sizeof(bytes));
        if (!slice_contains_text(text, (struct slice){bytes, sizeof(bytes)}))
            return true;
    }
    return false;
}

static bool is_one_of(char byte, const char *bytes)
{
    return byte && strchr(bytes, byte);
}

/* Tags, anchors and aliases also end at a colon; a colon behind a quote or bracket separates key and value.
 */
static bool begins_plain_text(char byte)
{
    return !is_one_of(byte, "!&*:\"'");
}

/*
 * Replaces a run of colons before a bracket or comma, directly behind plain text. Replacements in comments
 * and in quoted text have no effect.
 */
bool flow_colons_replace(struct slice text, struct arena *arena, struct flow_colons *colons)
{
    if (!text.length || !choose_stand_in(text, colons))
        return false;
    struct text replaced = text_start(arena, text.length + 64);
    bool is_plain = false, any = false;
    size_t copied = 0, token = 0; /* where the current word begins */
    for (size_t at = 0; at + 1 < text.length; at++) {
        if (is_one_of(text.bytes[at], " \t\r\n,[]{}")) {
            token = at + 1;
            continue;
        }
        is_plain = at > token && begins_plain_text(text.bytes[token]) && text.bytes[at - 1] != '"' &&
            text.bytes[at - 1] != '\'';
        if (text.bytes[at] != ':' || !is_plain || !is_one_of(text.bytes[at + 1], ",[]{}?"))
            continue;
        text_append_all(
            &replaced, slice_from(slice_until(text, at), copied),
            ((struct slice){colons->stand_in, FLOW_COLON_BYTES}));
        copied = at + 1;
        any = true;
    }
    text_append(&replaced, slice_from(text, copied));
    colons->text = text_slice(&replaced);
    return any && colons->text.bytes;
}

size_t flow_colons_restore(const struct flow_colons *colons, char *text, size_t length)
{
    size_t kept = 0;
    for (size_t at = 0; at < length;) {
        bool is_colon =
            length - at >= FLOW_COLON_BYTES && memcmp(text + at, colons->stand_in, FLOW_COLON_BYTES) == 0;
        text[kept++] = is_colon ? ':' : text[at];
        at += is_colon ? FLOW_COLON_BYTES : 1;
    }
    return kept;
}
