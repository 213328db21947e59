/*
 * parse.h: JSON values and paths for tests, from the text that they have in reviews.
 */
#ifndef APPLYGUARD_TESTS_PARSE_H
#define APPLYGUARD_TESTS_PARSE_H

#include "base/arena.h"
#include "base/array_size.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* The longest path that a row of a table holds. */
#define PARSE_PATH_MAX 6

/* Documents are read into the arena, as reviews are. */
static inline yyjson_val *parse_json(struct arena *arena, struct slice text)
{
    yyjson_alc allocator = arena_yyjson(arena);
    yyjson_read_err problem;
    yyjson_doc *document =
        yyjson_read_opts((char *)(uintptr_t)text.bytes, text.length, 0, &allocator, &problem);
    if (!document)
        fail_msg("%s, at byte %zu of %.60s", problem.msg, problem.pos, text.bytes);
    return yyjson_doc_get_root(document);
}

/* One element below `parent`, from a key of FieldsV1. */
static inline const struct path *parse_element(
    struct arena *arena, const struct path *parent, struct slice key)
{
    struct path *element = arena_allocate_array(arena, 1, sizeof(*element));
    assert_non_null(element);
    element->parent = parent;
    element->depth = parent ? parent->depth + 1 : 1;
    bool known;
    if (!fields_decode_element(key, arena, element, &known))
        fail_msg("%.*s is no path element", (int)key.length, key.bytes);
    return element;
}

/* A path from keys of FieldsV1, the topmost first, up to PARSE_PATH_MAX or a NULL. */
static inline const struct path *parse_path(struct arena *arena, const char *const *keys)
{
    const struct path *path = NULL;
    for (size_t i = 0; i < PARSE_PATH_MAX && keys[i]; i++)
        path = parse_element(arena, path, slice_of(keys[i]));
    return path;
}

static inline void assert_text(struct slice text, const char *expected)
{
    if (!slice_equal(text, slice_of(expected)))
        fail_msg("\"%.*s\" is not \"%s\"", (int)text.length, text.bytes, expected);
}

/* Numbers that look random and are the same in every run (Marsaglia's xorshift). */
static inline uint32_t random_next(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static inline uint32_t random_below(uint32_t *state, uint32_t bound)
{
    return random_next(state) % bound;
}

/* 0 to count - 1 in an order that looks random. */
static inline void random_order(uint32_t *state, unsigned *order, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        order[i] = i;
    for (unsigned i = count; i > 1; i--) {
        unsigned other = random_below(state, i), swapped = order[i - 1];
        order[i - 1] = order[other];
        order[other] = swapped;
    }
}

#endif
