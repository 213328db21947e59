/*
 * slice.h: a view of bytes that something else owns, with their length.
 *
 * All text from outside (requests, annotations, policy files) is passed as slices: it may hold NUL bytes and
 * need not be terminated. The bytes live as long as their owner: the review's document, the arena, or the
 * policy.
 */
#ifndef APPLYGUARD_BASE_SLICE_H
#define APPLYGUARD_BASE_SLICE_H

#include "base/ascii.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct slice {
    const char *bytes; /* may be NULL when length is 0 */
    size_t length;
};

struct slice_list {
    const struct slice *items;
    size_t count;
};

/* A slice of a string literal. */
#define SLICE(literal) ((struct slice){"" literal, sizeof(literal) - 1})

/* The same as an initializer of a constant. */
#define SLICE_LITERAL(literal)                                                                               \
    {                                                                                                        \
        "" literal, sizeof(literal) - 1                                                                      \
    }

static inline struct slice slice_of(const char *string)
{
    return (struct slice){string, strlen(string)};
}

/* NULL has no bytes. */
static inline struct slice slice_of_optional(const char *string)
{
    return string ? slice_of(string) : (struct slice){NULL, 0};
}

static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.bytes, b.bytes, a.length) == 0);
}

/* A to Z are equal to a to z. */
static inline bool slice_equal_in_any_case(struct slice a, struct slice b)
{
    size_t same = 0;
    if (a.length != b.length)
        return false;
    while (same < a.length && ascii_to_lower(a.bytes[same]) == ascii_to_lower(b.bytes[same]))
        same++;
    return same == a.length;
}

static inline bool slice_starts_with(struct slice text, struct slice prefix)
{
    return text.length >= prefix.length &&
        (prefix.length == 0 || memcmp(text.bytes, prefix.bytes, prefix.length) == 0);
}

static inline bool slice_ends_with(struct slice text, struct slice end)
{
    return text.length >= end.length &&
        (end.length == 0 || memcmp(text.bytes + (text.length - end.length), end.bytes, end.length) == 0);
}

/* Everything after the first `start` bytes; empty if there are no more. */
static inline struct slice slice_from(struct slice text, size_t start)
{
    if (start > text.length)
        start = text.length;
    return start ? (struct slice){text.bytes + start, text.length - start} : text;
}

/* Without the byte order mark of UTF-8 that some programs begin a file with; others join such files. */
static inline struct slice slice_without_mark(struct slice text)
{
    return slice_starts_with(text, SLICE("\xef\xbb\xbf")) ? slice_from(text, 3) : text;
}

/* The first `length` bytes, or all if there are fewer. */
static inline struct slice slice_until(struct slice text, size_t length)
{
    return (struct slice){text.bytes, length < text.length ? length : text.length};
}

/* The index of the first such byte; the text's length if it is not found. */
static inline size_t slice_find(struct slice text, char byte)
{
    const char *found = text.length ? memchr(text.bytes, (unsigned char)byte, text.length) : NULL;
    return found ? (size_t)(found - text.bytes) : text.length;
}

static inline bool slice_contains(struct slice text, char byte)
{
    return slice_find(text, byte) < text.length;
}

static inline bool slice_is_one_of(struct slice text, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (slice_equal(text, slice_of(words[i])))
            return true;
    }
    return false;
}

static inline bool slice_is_in(struct slice text, const struct slice *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (slice_equal(text, items[i]))
            return true;
    }
    return false;
}

/* Without leading and trailing spaces and tabs. */
static inline struct slice slice_trim(struct slice text)
{
    while (text.length && (text.bytes[0] == ' ' || text.bytes[0] == '\t'))
        text = slice_from(text, 1);
    while (text.length && (text.bytes[text.length - 1] == ' ' || text.bytes[text.length - 1] == '\t'))
        text.length--;
    return text;
}

/*
 * Orders by bytes, and a prefix before the longer text. Returns a number below, equal to or above 0, as
 * memcmp does.
 */
static inline int slice_compare(struct slice a, struct slice b)
{
    size_t common = a.length < b.length ? a.length : b.length;
    /* Most texts differ in their first byte. */
    if (common && a.bytes[0] != b.bytes[0])
        return (unsigned char)a.bytes[0] < (unsigned char)b.bytes[0] ? -1 : 1;
    int order = common ? memcmp(a.bytes, b.bytes, common) : 0;
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* For qsort and bsearch: orders slices, and records that begin with one. */
static inline int slice_compare_items(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

#endif
