#include "manifest/scalar.h"

#include "base/text.h"
#include "manifest/number.h"
#include "manifest/write.h"

#include <math.h>

static struct slice key_of_number(struct arena *arena, double real)
{
    char text[NUMBER_TEXT_MAX];
    size_t length = number_format_key(real, text);
    return arena_copy(arena, (struct slice){text, length});
}

static struct slice decimal(struct arena *arena, int64_t integer)
{
    struct text text = text_start(arena, 20);
    text_append_integer(&text, integer);
    return text_slice(&text);
}

/* sigs.k8s.io/yaml: convertToJSONableObject turns keys into strings. Returns false if it cannot. */
static bool key_text(struct build *build, const struct resolved *resolved, struct slice *key)
{
    struct arena *arena = build->arena;
    switch (resolved->kind) {
    case RESOLVED_BOOL:
        *key = resolved->boolean ? SLICE("true") : SLICE("false");
        return true;
    case RESOLVED_INT:
        *key = decimal(arena, resolved->integer);
        return true;
    case RESOLVED_REAL:
        *key = key_of_number(arena, resolved->real);
        return true;
    case RESOLVED_TIMESTAMP:
    case RESOLVED_TEXT:
        *key = resolved->text;
        return true;
    default:
        return false;
    }
}

/*
 * kubectl converts values to JSON. So 1e3 becomes an integer; so does 2^60, as its shortest digits,
 * 1152921504606847000.
 */
static bool set_real(struct build *build, struct manifest_node *node, double real)
{
    char text[NUMBER_TEXT_MAX];
    size_t length = number_format(real, build->arena, text);
    bool is_whole = number_parse_integer((struct slice){text, length}, &node->integer);
    node->kind = is_whole ? MANIFEST_INT : MANIFEST_FLOAT;
    if (!is_whole)
        node->real = real;
    return length || build_out_of_memory(build);
}

static bool set_value(struct build *build, struct manifest_node *node, const struct resolved *resolved)
{
    switch (resolved->kind) {
    case RESOLVED_NULL:
        node->kind = MANIFEST_NULL;
        return true;
    case RESOLVED_BOOL:
        node->kind = MANIFEST_BOOL;
        node->boolean = resolved->boolean;
        return true;
    case RESOLVED_INT:
        node->kind = MANIFEST_INT;
        node->integer = resolved->integer;
        return true;
    case RESOLVED_NATURAL:
        node->kind = MANIFEST_FLOAT;
        node->real = (double)resolved->natural;
        return true;
    case RESOLVED_REAL:
        if (isfinite(resolved->real))
            return set_real(build, node, resolved->real);
        return build_refuse(
            build, node->place, "infinity and NaN have no form in JSON, so kubectl refuses them");
    default:
        return true;
    }
}

struct manifest_node *scalar_value(struct build *build, const struct scalar *scalar)
{
    const struct resolved *resolved = scalar->resolved;
    bool is_text = resolved->kind == RESOLVED_TEXT || resolved->kind == RESOLVED_TIMESTAMP;
    struct manifest_node *node =
        build_node(build, MANIFEST_STRING, is_text ? resolved->text : (struct slice){NULL, 0}, scalar->place);
    if (!node || !set_value(build, node, resolved))
        return NULL;
    if (!scalar->is_plain || resolved->kind == RESOLVED_NULL ||
        (resolved->kind == RESOLVED_TEXT && !notes_is_sexagesimal(scalar->written)))
        return node;
    struct slice read_as = manifest_json(node, build->arena);
    notes_add_scalar(build->notes, scalar->written, resolved, read_as, false, scalar->place);
    return read_as.bytes ? node : build_out_of_memory(build);
}

bool scalar_key(struct build *build, const struct scalar *scalar, struct manifest_node *key)
{
    const struct resolved *resolved = scalar->resolved;
    struct slice text;
    if (!key_text(build, resolved, &text)) {
        build_refuse(
            build, scalar->place,
            resolved->kind == RESOLVED_NULL ? "kubectl refuses a key that is null; quote it, or add a key"
                                            : "kubectl refuses a key that is such a large number");
        return false;
    }
    if (resolved->kind != RESOLVED_TEXT && resolved->kind != RESOLVED_TIMESTAMP && !text.bytes)
        return build_out_of_memory(build);
    /* A key is always a string: it is ambiguous only if the string changes. */
    bool is_text = resolved->kind == RESOLVED_TEXT || resolved->kind == RESOLVED_TIMESTAMP;
    if (scalar->is_plain && !is_text && !slice_equal(scalar->written, text))
        notes_add_scalar(build->notes, scalar->written, resolved, text, true, scalar->place);
    return build_fill(build, key, MANIFEST_STRING, text, scalar->place);
}
