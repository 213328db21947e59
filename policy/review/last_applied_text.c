#include "policy/review/last_applied_text.h"

#include "base/ascii.h"
#include "base/json.h"

#include <stdlib.h>

/* Go's scanner gives up below (encoding/json, maxNestingDepth). */
#define LEVELS_MAX 10000

/* "\ud83d" */
#define ESCAPE_BYTES 6

/* The UTF-16 unit that is written at the start of `text` as \uXXXX; 0: none is. */
static unsigned escaped_unit(struct slice text)
{
    unsigned unit = 0;
    if (text.length < ESCAPE_BYTES || text.bytes[0] != '\\' || text.bytes[1] != 'u')
        return 0;
    for (size_t i = 2; i < ESCAPE_BYTES; i++) {
        unsigned digit = ascii_hex_value(text.bytes[i]);
        if (digit > 15)
            return 0;
        unit = unit << 4 | digit;
    }
    return unit;
}

static bool is_surrogate(unsigned unit)
{
    return unit >= 0xd800 && unit < 0xe000;
}

static bool is_pair(unsigned first, unsigned second)
{
    return first >= 0xd800 && first < 0xdc00 && second >= 0xdc00 && second < 0xe000;
}

/* A copy in which U+FFFD replaces each unpaired surrogate; empty if the text has none, or memory runs out. */
static struct slice mend_surrogates(struct slice text, struct arena *arena)
{
    static const char replacement[ESCAPE_BYTES] = {'\\', 'u', 'f', 'f', 'f', 'd'};
    struct slice copy = arena_copy(arena, text);
    char *bytes = (char *)(uintptr_t)copy.bytes;
    bool mended = false;
    for (size_t i = 0; i < copy.length;) {
        unsigned unit = escaped_unit(slice_from(copy, i));
        if (is_surrogate(unit) && is_pair(unit, escaped_unit(slice_from(copy, i + ESCAPE_BYTES)))) {
            i += ESCAPE_BYTES;
        } else if (is_surrogate(unit)) {
            memcpy(bytes + i, replacement, ESCAPE_BYTES);
            mended = true;
        }
        i += unit ? ESCAPE_BYTES : copy.bytes[i] == '\\' ? 2 : 1;
    }
    return mended ? copy : (struct slice){NULL, 0};
}

/* Counts brackets in strings, too: so the compiler can compare many bytes at once. */
static size_t count_brackets(struct slice text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += (size_t)(text.bytes[i] == '[') + (text.bytes[i] == '{');
    return count;
}

/*
 * Whether the text opens more levels than kubectl reads (encoding/json). It is asked before the text is
 * parsed, because a value takes 16 bytes of memory, and a level only one of the text. Few texts have so many
 * brackets at all.
 */
static bool is_too_deep(struct slice text)
{
    size_t depth = 0;
    bool is_quoted = false;
    if (text.length <= LEVELS_MAX || count_brackets(text) <= LEVELS_MAX)
        return false;
    for (size_t i = 0; i < text.length && depth <= LEVELS_MAX; i++) {
        char byte = text.bytes[i];
        if (is_quoted) {
            i += byte == '\\';
            is_quoted = byte != '"';
        } else if (byte == '[' || byte == '{') {
            depth++;
        } else {
            is_quoted = byte == '"';
            depth -= depth && (byte == ']' || byte == '}');
        }
    }
    return depth > LEVELS_MAX;
}

/* Half a pair is so rare that it is looked for only where yyjson has found a fault. */
static yyjson_doc *read_document(struct slice text, struct arena *arena)
{
    yyjson_read_err problem;
    yyjson_doc *document = json_read(text, YYJSON_READ_NOFLAG, arena, &problem);
    if (document || problem.code != YYJSON_READ_ERROR_INVALID_STRING)
        return document;
    struct slice mended = mend_surrogates(text, arena);
    return mended.length ? json_read(mended, YYJSON_READ_NOFLAG, arena, NULL) : NULL;
}

/* A container on the way down to a value. */
struct level {
    yyjson_val *container;
    const yyjson_val *end; /* where what is in it ends */
};

/* Room for all levels of a document, of which there are no more than values; NULL if memory runs out. */
static struct level *levels_of(const yyjson_doc *document, struct arena *arena)
{
    size_t values = yyjson_doc_get_val_count((yyjson_doc *)(uintptr_t)document);
    return arena_allocate(arena, (values < LEVELS_MAX ? values : LEVELS_MAX) * sizeof(struct level));
}

static int compare_names(const void *a, const void *b)
{
    const yyjson_val *x = *(yyjson_val *const *)a, *y = *(yyjson_val *const *)b;
    int order = slice_compare(json_text(x), json_text(y));
    return order ? order : (x > y) - (x < y);
}

/* A zero ends each name, so an empty one has a first byte, too, which mostly decides. */
static bool is_before(const yyjson_val *name, const yyjson_val *next)
{
    unsigned char first = (unsigned char)name->uni.str[0], other = (unsigned char)next->uni.str[0];
    return first < other || (first == other && slice_compare(json_text(name), json_text(next)) < 0);
}

/* kubectl writes members in order of their names, and then none stands twice. */
static bool is_in_order(yyjson_val *object)
{
    yyjson_val *key = unsafe_yyjson_get_first(object);
    for (size_t left = unsafe_yyjson_get_len(object); left > 1; left--) {
        yyjson_val *next = unsafe_yyjson_get_next(key + 1);
        if (!is_before(key, next))
            return false;
        key = next;
    }
    return true;
}

/* A key whose member is to go has no type for the while. */
static void mark(yyjson_val *key)
{
    key->tag &= ~(uint64_t)YYJSON_TYPE_MASK;
}

static bool is_marked(const yyjson_val *key)
{
    return (key->tag & YYJSON_TYPE_MASK) == YYJSON_TYPE_NONE;
}

/* Marks the keys of all members but the last of a name. Whether there are any. */
static bool mark_repeated(yyjson_val *object, struct arena *arena)
{
    size_t count = unsafe_yyjson_get_len(object);
    yyjson_val **keys = arena_allocate(arena, count * sizeof(*keys));
    if (!keys)
        return false;
    yyjson_val *key = unsafe_yyjson_get_first(object);
    for (size_t i = 0; i < count; i++) {
        keys[i] = key;
        key = unsafe_yyjson_get_next(key + 1);
    }
    qsort(keys, count, sizeof(*keys), compare_names);
    bool any = false;
    for (size_t i = 0; i + 1 < count; i++) {
        if (!slice_equal(json_text(keys[i]), json_text(keys[i + 1])))
            continue;
        mark(keys[i]);
        any = true;
    }
    return any;
}

static bool mark_all_repeated(yyjson_val *root, struct arena *arena)
{
    bool any = false;
    for (yyjson_val *value = root, *end = unsafe_yyjson_get_next(root); value < end; value++) {
        if (unsafe_yyjson_is_obj(value) && !is_in_order(value))
            any |= mark_repeated(value, arena);
    }
    return any;
}

static void close_level(const struct level *level, const yyjson_val *end)
{
    level->container->uni.ofs = (size_t)((const char *)end - (const char *)level->container);
}

/* A document's values lie one after another, containers before what is in them: what stays moves up. */
static void drop_marked(yyjson_val *root, struct level *levels)
{
    const yyjson_val *end = unsafe_yyjson_get_next(root);
    yyjson_val *to = root;
    size_t depth = 0;
    for (yyjson_val *from = root; from < end;) {
        while (depth && levels[depth - 1].end <= from)
            close_level(&levels[--depth], to);
        if (is_marked(from)) {
            yyjson_val *object = levels[depth - 1].container;
            unsafe_yyjson_set_len(object, unsafe_yyjson_get_len(object) - 1);
            from = unsafe_yyjson_get_next(from + 1);
            continue;
        }
        if (unsafe_yyjson_is_ctn(from))
            levels[depth++] = (struct level){to, unsafe_yyjson_get_next(from)};
        *to++ = *from++;
    }
    while (depth)
        close_level(&levels[--depth], to);
}

yyjson_val *last_applied_parse(struct slice text, struct arena *arena)
{
    yyjson_doc *document = is_too_deep(text) ? NULL : read_document(text, arena);
    yyjson_val *root = yyjson_doc_get_root(document);
    if (!yyjson_is_obj(root))
        return NULL;
    if (!mark_all_repeated(root, arena))
        return root;
    struct level *levels = levels_of(document, arena);
    if (!levels)
        return NULL;
    drop_marked(root, levels);
    return root;
}
