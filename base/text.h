/*
 * text.h: builds text in an arena, and makes untrusted text safe to print.
 *
 * All output of applyguard is built here: answers, log lines, messages. Text that others chose (names of
 * managers, fields, objects, users) goes through text_append_printable, so that no control character or
 * bidirectional formatting character reaches a terminal, a log or a warning header.
 */
#ifndef APPLYGUARD_BASE_TEXT_H
#define APPLYGUARD_BASE_TEXT_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    struct arena *arena;
    char *bytes;
    size_t length;
    size_t capacity;
    bool failed; /* no memory at some point: what it holds is not whole */
};

/* An empty text. `expected` is its probable length. Sets `failed` if memory runs out. */
struct text text_start(struct arena *arena, size_t expected);

/* Appends bytes as they are. Does nothing once `failed`. */
void text_append(struct text *text, struct slice bytes);
void text_append_number(struct text *text, uint64_t number);

/* "1 field", "2 fields". */
void text_append_count(struct text *text, uint64_t count, const char *one, const char *several);
void text_append_integer(struct text *text, int64_t integer);
void text_append_spaces(struct text *text, size_t count);

/* Appends a time, in seconds since 1970, as Kubernetes writes it: 2026-01-31T08:00:00Z. Nothing beyond what
 * the calendar has. */
void text_append_time(struct text *text, int64_t seconds);

/*
 * Makes the text longer by `length` bytes, which the caller fills. NULL, and `failed` is set, if memory runs
 * out.
 */
char *text_extend(struct text *text, size_t length);

/* With the letters of ASCII in lower case. */
void text_append_lower(struct text *text, struct slice bytes);

/* Inline, so that the compiler knows the length of a literal. */
static inline void text_append_string(struct text *text, const char *string)
{
    text_append(text, slice_of(string));
}

/*
 * Appends shop/web or apps/v1 by the function, which escapes what its output needs escaped; without the slash
 * if the qualifier is empty.
 */
void text_append_qualified(
    struct text *text, void (*append)(struct text *text, struct slice bytes), struct slice qualifier,
    struct slice name);

/*
 * Appends the bytes and escapes what must not be printed: control characters as \n, \x1b, \u202e, and bytes
 * that are not UTF-8 as \xff.
 */
void text_append_printable(struct text *text, struct slice bytes);

/* The same as a text of its own. NULL bytes if memory runs out. */
struct slice text_printable(struct arena *arena, struct slice bytes);

/* The same, and escapes " and \ as well: the form of Go's %q without the quotes around it. */
void text_append_quotable(struct text *text, struct slice bytes);

/* Appends the bytes as they are between quotation marks. */
void text_append_quoted(struct text *text, struct slice bytes);

/*
 * Appends a JSON string, with its quotes, that parses to the same text. Bytes that are not UTF-8 become
 * U+FFFD.
 */
void text_append_json(struct text *text, struct slice bytes);

/*
 * JSON, with escapes in place of characters that must not be printed. `bytes` is NULL if memory runs
 * out.
 */
struct slice text_printable_json(struct arena *arena, struct slice json);

/*
 * The text that was built so far. Empty, with `bytes` NULL, if the text failed or any allocation in its arena
 * did, because a text may be built from others. To get a part of it, use slice_until and slice_from on this
 * slice.
 */
struct slice text_slice(const struct text *text);

/*
 * The character at the start of `text`, which must not be empty, and in `length` how many bytes it takes. A
 * byte that begins no well-formed UTF-8 sequence (RFC 3629: no overlong forms, no surrogates) gives -1 and a
 * length of 1.
 */
int32_t text_character(struct slice text, size_t *length);

/* The number of characters of a UTF-8 text. */
size_t text_character_count(struct slice text);

/* The length of the ASCII at the start of the text. */
size_t text_ascii_length(struct slice text);

/* Writes a character as UTF-8. Returns how many bytes it takes. */
size_t text_put_character(char bytes[4], int32_t character);

/*
 * Controls, and the invisible characters that reorder or hide text (bidirectional controls, zero-width
 * characters and fillers, line and paragraph separators, byte order mark, tags).
 */
bool text_is_unprintable(int32_t character);

/* Whether the text is UTF-8 without any of these. */
bool text_is_printable(struct slice text);

/*
 * Whether this is the second # of ##[ or ##word[, which CI systems take for a command wherever it is in a
 * line of their log (GitHub Actions, Azure Pipelines, TeamCity).
 */
bool text_is_command(struct slice line, size_t offset);

#define TEXT_ELLIPSIS "…"

/*
 * The longest prefix of `text` that has at most `limit` bytes and does not split a character. The caller adds
 * TEXT_ELLIPSIS.
 */
struct slice text_cut(struct slice text, size_t limit);

/* The longest suffix of `text` that has at most `limit` bytes and begins with a whole character. */
struct slice text_cut_front(struct slice text, size_t limit);

/*
 * Parts of text_append_all that are not appended as they are: by a function that escapes them, a number with
 * its unit, a name with its namespace, or items of any type by a function that knows it.
 */
struct text_escaped {
    void (*append)(struct text *text, struct slice raw);
    struct slice raw;
};

struct text_counted {
    uint64_t count;
    const char *one, *several;
};

struct text_qualified {
    void (*append)(struct text *text, struct slice bytes);
    struct slice qualifier, name;
};

struct text_listed {
    void (*append)(struct text *text, const void *items, size_t count, size_t total);
    const void *items;
    size_t count, total;
};

static inline struct text_escaped as_escaped(
    void (*append)(struct text *text, struct slice raw), struct slice raw)
{
    return (struct text_escaped){append, raw};
}

static inline struct text_escaped as_printable(struct slice raw)
{
    return (struct text_escaped){text_append_printable, raw};
}

static inline struct text_escaped as_json(struct slice raw)
{
    return (struct text_escaped){text_append_json, raw};
}

static inline struct text_counted as_count(uint64_t count, const char *one, const char *several)
{
    return (struct text_counted){count, one, several};
}

/* shop/web, by text_append_qualified. */
static inline struct text_qualified as_qualified(
    void (*append)(struct text *text, struct slice bytes), struct slice qualifier, struct slice name)
{
    return (struct text_qualified){append, qualifier, name};
}

/* Each appends one part, and returns the text for the next part. */
static inline struct text *text_chain_string(struct text *text, const char *part)
{
    text_append_string(text, part);
    return text;
}

static inline struct text *text_chain(struct text *text, struct slice part)
{
    text_append(text, part);
    return text;
}

static inline struct text *text_chain_number(struct text *text, uint64_t part)
{
    text_append_number(text, part);
    return text;
}

static inline struct text *text_chain_escaped(struct text *text, struct text_escaped part)
{
    part.append(text, part.raw);
    return text;
}

static inline struct text *text_chain_counted(struct text *text, struct text_counted part)
{
    text_append_count(text, part.count, part.one, part.several);
    return text;
}

static inline struct text *text_chain_qualified(struct text *text, struct text_qualified part)
{
    text_append_qualified(text, part.append, part.qualifier, part.name);
    return text;
}

static inline struct text *text_chain_listed(struct text *text, struct text_listed part)
{
    part.append(text, part.items, part.count, part.total);
    return text;
}

/*
 * Appends the parts, none of which depends on the text: strings, slices, numbers, and the parts above.
 *
 *     text_append_all(text, name, " has ", as_count(fields, "field", "fields"), "\n");
 */
#define text_append_all(text, ...) ((void)TEXT_CHAIN(text, __VA_ARGS__))

/* The parts as a text of their own, in the arena. Its bytes are NULL if memory runs out. */
#define text_join(arena, ...) text_slice(TEXT_CHAIN((struct text[]){text_start(arena, 64)}, __VA_ARGS__))

/* The same as a string of C; NULL if memory runs out. */
#define text_join_string(arena, ...) (text_join(arena, __VA_ARGS__, SLICE("\0")).bytes)

#define TEXT_CHAIN(text, ...)                                                                                \
    TEXT_CHOOSE(                                                                                             \
        __VA_ARGS__, TEXT_12, TEXT_11, TEXT_10, TEXT_9, TEXT_8, TEXT_7, TEXT_6, TEXT_5, TEXT_4, TEXT_3,      \
        TEXT_2, TEXT_1, 0)                                                                                   \
    (text, __VA_ARGS__)
#define TEXT_CHOOSE(a, b, c, d, e, f, g, h, i, j, k, l, chosen, ...) chosen
#define TEXT_1(text, part)                                                                                   \
    _Generic((part),                                                                                         \
        char *: text_chain_string,                                                                           \
        const char *: text_chain_string,                                                                     \
        struct slice: text_chain,                                                                            \
        struct text_escaped: text_chain_escaped,                                                             \
        struct text_counted: text_chain_counted,                                                             \
        struct text_qualified: text_chain_qualified,                                                         \
        struct text_listed: text_chain_listed,                                                               \
        unsigned: text_chain_number,                                                                         \
        unsigned long: text_chain_number,                                                                    \
        unsigned long long: text_chain_number)(text, part)
#define TEXT_2(text, part, ...) TEXT_1(TEXT_1(text, part), __VA_ARGS__)
#define TEXT_3(text, part, ...) TEXT_2(TEXT_1(text, part), __VA_ARGS__)
#define TEXT_4(text, part, ...) TEXT_3(TEXT_1(text, part), __VA_ARGS__)
#define TEXT_5(text, part, ...) TEXT_4(TEXT_1(text, part), __VA_ARGS__)
#define TEXT_6(text, part, ...) TEXT_5(TEXT_1(text, part), __VA_ARGS__)
#define TEXT_7(text, part, ...) TEXT_6(TEXT_1(text, part), __VA_ARGS__)
#define TEXT_8(text, part, ...) TEXT_7(TEXT_1(text, part), __VA_ARGS__)
#define TEXT_9(text, part, ...) TEXT_8(TEXT_1(text, part), __VA_ARGS__)
#define TEXT_10(text, part, ...) TEXT_9(TEXT_1(text, part), __VA_ARGS__)
#define TEXT_11(text, part, ...) TEXT_10(TEXT_1(text, part), __VA_ARGS__)
#define TEXT_12(text, part, ...) TEXT_11(TEXT_1(text, part), __VA_ARGS__)

#endif
