#include "policy/config/rule_link.h"

#include "base/find.h"
#include "base/text.h"

#define PLACE_OF_RULE "{rule}"

static bool is_plain(struct slice url)
{
    for (size_t i = 0; i < url.length; i++) {
        if (url.bytes[i] <= ' ' || url.bytes[i] > '~')
            return false;
    }
    return true;
}

const char *rule_url_check(struct slice url)
{
    bool is_web = slice_starts_with(url, SLICE("https://")) || slice_starts_with(url, SLICE("http://"));
    if (!url.length)
        return NULL;
    if (!is_web)
        return "is not an address that begins with https:// or http://";
    if (!is_plain(url))
        return "has a blank, or a character that is not ASCII";
    return url.length > RULE_URL_BYTES_MAX ? "is longer than 160 bytes" : NULL;
}

struct slice rule_link(const struct policy *policy, enum rule_id rule, struct arena *arena)
{
    struct slice url = policy->rule_url, place = SLICE(PLACE_OF_RULE), name = slice_of(rules[rule].name);
    if (!url.length)
        return (struct slice){NULL, 0};
    size_t before = slice_find_text(url, place);
    bool has_place = before < url.length;
    struct text text = text_start(arena, url.length + name.length + 1);
    text_append_all(
        &text, slice_until(url, before), has_place || url.bytes[url.length - 1] == '/' ? "" : "/", name);
    if (has_place)
        text_append(&text, slice_from(url, before + place.length));
    return text_slice(&text);
}
