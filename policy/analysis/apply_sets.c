#include "policy/analysis/apply_sets.h"

#include "base/array_size.h"
#include "base/base64.h"
#include "base/sha256.h"
#include "base/text.h"

#define PREFIX SLICE("applyset-")
#define SUFFIX SLICE("-v1")

/* 32 bytes in base64 without padding; the last character encodes four bits, and two that are zero. */
#define DIGITS_COUNT 43

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

bool apply_set_is_membership(const struct path *path)
{
    return path_is_metadata_key(path, SLICE("labels"), SLICE(APPLY_SET_MEMBER_LABEL));
}

/* Below 64; 64: no digit. */
static unsigned digit_value(char byte)
{
    const char *digit = byte ? strchr(digits, byte) : NULL;
    return digit ? (unsigned)(digit - digits) : 64;
}

bool apply_set_id_valid(struct slice id)
{
    if (id.length != PREFIX.length + DIGITS_COUNT + SUFFIX.length || !slice_starts_with(id, PREFIX) ||
        !slice_equal(slice_from(id, PREFIX.length + DIGITS_COUNT), SUFFIX))
        return false;
    const char *hash = id.bytes + PREFIX.length;
    for (size_t i = 0; i < DIGITS_COUNT; i++) {
        if (digit_value(hash[i]) == 64)
            return false;
    }
    return digit_value(hash[DIGITS_COUNT - 1]) % 4 == 0;
}

struct slice apply_set_id(const struct apply_set_parent *parent, struct arena *arena)
{
    const struct slice parts[] = {parent->name, parent->namespace, parent->kind, parent->group};
    unsigned char hash[SHA256_BYTES];
    struct text hashed = text_start(arena, 256), id = text_start(arena, 64);
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
        text_append_all(&hashed, i ? "." : "", parts[i]);
    if (hashed.failed)
        return (struct slice){NULL, 0};
    sha256_digest(text_slice(&hashed), hash);
    text_append(&id, PREFIX);
    base64url_append(&id, (struct slice){(const char *)hash, sizeof(hash)});
    text_append(&id, SUFFIX);
    return text_slice(&id);
}
