#include "apply/merge/custom_pattern.h"

#include "base/digits.h"
#include "base/text.h"

#include <regex.h>

/*
 * The size of an expression is the number of its parts. A part that is repeated counts as often as that: the
 * C library compiles a repetition as that many copies. The time of a compilation grows with the square of the
 * size, and that of a search with the square of the size times the length of the text.
 */
#define SIZE_MAX_OF_ONE ((size_t)512)
#define SIZE_MAX_OF_ALL ((size_t)4096)
#define EXPRESSIONS_MAX 256
#define DEPTH_MAX 16
#define PATTERN_BYTES_MAX 4096
#define TEXT_BYTES_MAX 4096
#define EFFORT_MAX_OF_ONE ((size_t)32 * 1024 * 1024)
#define EFFORT_MAX_OF_ALL ((size_t)256 * 1024 * 1024)

/* RE_DUP_MAX of musl; that of glibc is larger. */
#define REPEATS_MAX 255

#define ASCII_COUNT 128

struct custom_expression {
    struct custom_expression *next;
    const char *pattern;
    regex_t compiled;
    size_t size;           /* 0: the pattern cannot be matched */
    bool matches_others;   /* characters beyond ASCII */
    bool has_inner_anchor; /* the C library takes line breaks for the ends of the text there */
};

struct translation {
    struct slice rest;
    struct text text;
    size_t depth;
    size_t anchors;
    bool matches_others;
    bool has_inner_anchor;
    bool has_empty;       /* an alternative of any level, perhaps but for anchors */
    bool begins_anywhere; /* an alternative of the outermost level has no ^ in front */
    bool has_failed;      /* the pattern is too large, or one that POSIX cannot say */
};

/* A set of characters of ASCII. */
struct set {
    bool has[ASCII_COUNT];
};

static size_t fail(struct translation *translation)
{
    translation->has_failed = true;
    translation->rest.length = 0;
    return 0;
}

static bool is_plain(char byte)
{
    return byte != '\0' && (unsigned char)byte < ASCII_COUNT;
}

static bool starts_with(const struct translation *translation, struct slice text)
{
    return slice_starts_with(translation->rest, text);
}

static bool take(struct translation *translation, struct slice text)
{
    bool is_next = starts_with(translation, text);
    if (is_next)
        translation->rest = slice_from(translation->rest, text.length);
    return is_next;
}

/* Returns 0 at the end of the pattern. */
static char take_byte(struct translation *translation)
{
    char byte = translation->rest.length ? translation->rest.bytes[0] : '\0';
    translation->rest = slice_from(translation->rest, 1);
    return byte;
}

/*
 * Sets
 */

static void add_range(struct set *set, char first, char last)
{
    for (size_t byte = (unsigned char)first; byte <= (unsigned char)last; byte++)
        set->has[byte] = true;
}

static bool is_in_class(char class, char byte)
{
    switch (class) {
    case 'd':
        return ascii_is_digit(byte);
    case 'w':
        return ascii_is_alphanumeric(byte) || byte == '_';
    default:
        return ascii_is_space(byte) || byte == '\f';
    }
}

/* \d, \s, \w, and those in upper case, which are all other characters. */
static bool add_class(struct translation *translation, char name, struct set *set)
{
    char class = ascii_to_lower(name);
    bool is_negated = class != name;
    if (class != 'd' && class != 's' && class != 'w')
        return false;
    for (int byte = 0; byte < ASCII_COUNT; byte++)
        set->has[byte] |= is_in_class(class, (char)byte) != is_negated;
    translation->matches_others |= is_negated;
    return true;
}

/* The character that a backslash and `byte` mean. Returns 0 if they mean a class, an anchor or nothing. */
static char escaped(char byte)
{
    static const char names[] = "tnrfva", meant[] = "\t\n\r\f\v\a";
    const char *name = byte ? strchr(names, byte) : NULL;
    if (name)
        return meant[name - names];
    return ascii_is_alphanumeric(byte) ? '\0' : byte;
}

static char take_member(struct translation *translation)
{
    char byte = take_byte(translation);
    if (byte == '\\')
        byte = escaped(take_byte(translation));
    if (!is_plain(byte))
        fail(translation);
    return byte;
}

/* Reads a set up to its closing bracket. The opening bracket is already read. */
static void read_set(struct translation *translation, struct set *set)
{
    bool is_negated = take(translation, SLICE("^"));
    bool is_first = true;
    for (; is_first || !take(translation, SLICE("]")); is_first = false) {
        struct slice next = slice_from(translation->rest, 1);
        if (starts_with(translation, SLICE("\\")) && next.length &&
            add_class(translation, next.bytes[0], set)) {
            translation->rest = slice_from(next, 1);
            continue;
        }
        if (starts_with(translation, SLICE("[:")))
            fail(translation);
        char first = take_member(translation), last = first;
        bool is_range = starts_with(translation, SLICE("-")) && !starts_with(translation, SLICE("-]"));
        if (is_range) {
            take_byte(translation);
            last = take_member(translation);
        }
        if (translation->has_failed || last < first) {
            fail(translation);
            return;
        }
        add_range(set, first, last);
    }
    for (int byte = 0; is_negated && byte < ASCII_COUNT; byte++)
        set->has[byte] = !set->has[byte];
    translation->matches_others |= is_negated;
}

static bool is_special(int byte)
{
    return byte == ']' || byte == '[' || byte == '^' || byte == '-';
}

static void append_if(struct text *text, const struct set *set, char byte)
{
    if (set->has[(size_t)byte])
        text_append(text, (struct slice){&byte, 1});
}

static void append_ranges(struct text *text, const struct set *set)
{
    for (int first = 1, last; first < ASCII_COUNT; first = last + 1) {
        last = first;
        if (!set->has[first] || is_special(first))
            continue;
        while (last + 1 < ASCII_COUNT && set->has[last + 1] && !is_special(last + 1))
            last++;
        const char range[] = {(char)first, '-', (char)last};
        text_append(text, last > first ? (struct slice){range, 3} : (struct slice){range, 1});
    }
}

/*
 * Appends what matches one character of the set. Within brackets, ] and - mean themselves in the first place,
 * ^ elsewhere, and - in the last place, too.
 */
static size_t append_set(struct translation *translation, const struct set *set)
{
    size_t count = 0;
    for (int byte = 1; byte < ASCII_COUNT; byte++)
        count += set->has[byte];
    struct text *text = &translation->text;
    if (!count)
        return fail(translation);
    if (count == 1 && set->has['^']) {
        text_append(text, SLICE("\\^"));
        return 1;
    }
    text_append(text, SLICE("["));
    append_if(text, set, set->has[']'] ? ']' : '-');
    append_ranges(text, set);
    append_if(text, set, '[');
    append_if(text, set, '^');
    if (set->has[']'])
        append_if(text, set, '-');
    text_append(text, SLICE("]"));
    return 1;
}

static size_t append_one(struct translation *translation, char byte)
{
    struct set set = {0};
    if (!is_plain(byte))
        return fail(translation);
    set.has[(size_t)byte] = true;
    return append_set(translation, &set);
}

static size_t read_dot(struct translation *translation)
{
    struct set set = {0};
    add_range(&set, 1, ASCII_COUNT - 1);
    set.has['\n'] = false;
    translation->matches_others = true;
    return append_set(translation, &set);
}

/*
 * Expressions
 */

static size_t read_alternatives(struct translation *translation);

struct repetition {
    size_t least, most;
    bool is_open; /* without a limit; `most` has no meaning */
};

static bool read_count(struct slice digits, size_t *count)
{
    bool has_zero_in_front = digits.length > 1 && digits.bytes[0] == '0';
    return !has_zero_in_front && digits_parse(digits, count);
}

/* {2}, {2,} or {2,3}; anything else stands for itself. */
static bool take_count(struct translation *translation, struct repetition *repetition)
{
    struct slice rest = slice_from(translation->rest, 1);
    size_t end = slice_find(rest, '}');
    struct slice within = slice_until(rest, end);
    size_t comma = slice_find(within, ',');
    struct slice most = slice_from(within, comma + 1);
    bool has_comma = comma < end;
    *repetition = (struct repetition){.is_open = has_comma && !most.length};
    if (!starts_with(translation, SLICE("{")) || end == rest.length ||
        !read_count(slice_until(within, comma), &repetition->least))
        return false;
    repetition->most = repetition->least;
    if (most.length && !read_count(most, &repetition->most))
        return false;
    translation->rest = slice_from(rest, end + 1);
    return true;
}

static bool take_repetition(struct translation *translation, struct repetition *repetition)
{
    if (take(translation, SLICE("*")))
        *repetition = (struct repetition){.is_open = true};
    else if (take(translation, SLICE("+")))
        *repetition = (struct repetition){.least = 1, .is_open = true};
    else if (take(translation, SLICE("?")))
        *repetition = (struct repetition){.most = 1};
    else
        return take_count(translation, repetition);
    return true;
}

static void append_repetition(struct text *text, const struct repetition *repetition)
{
    if (repetition->is_open && repetition->least < 2) {
        text_append_string(text, repetition->least ? "+" : "*");
        return;
    }
    text_append_all(text, "{", repetition->least);
    if (repetition->is_open || repetition->most != repetition->least)
        text_append(text, SLICE(","));
    if (!repetition->is_open && repetition->most != repetition->least)
        text_append_number(text, repetition->most);
    text_append(text, SLICE("}"));
}

static size_t read_group(struct translation *translation)
{
    take(translation, SLICE("?:"));
    if (starts_with(translation, SLICE("?")) || ++translation->depth > DEPTH_MAX)
        return fail(translation);
    text_append(&translation->text, SLICE("("));
    size_t size = read_alternatives(translation);
    text_append(&translation->text, SLICE(")"));
    translation->depth--;
    return take(translation, SLICE(")")) ? size + (size > 0) : fail(translation);
}

/* An anchor has no size, and is not repeated. */
static size_t append_anchor(struct translation *translation, const char *anchor)
{
    struct slice before = text_slice(&translation->text), behind = translation->rest;
    bool is_outer = *anchor == '^' ? !before.length || before.bytes[before.length - 1] == '|'
                                   : !behind.length || behind.bytes[0] == '|';
    translation->anchors++;
    translation->has_inner_anchor |= !is_outer || translation->depth;
    text_append_string(&translation->text, anchor);
    return 0;
}

static size_t read_escape(struct translation *translation)
{
    struct set set = {0};
    char byte = take_byte(translation);
    if (byte == 'A' || byte == 'z')
        return append_anchor(translation, byte == 'A' ? "^" : "$");
    return add_class(translation, byte, &set) ? append_set(translation, &set)
                                              : append_one(translation, escaped(byte));
}

static size_t read_atom(struct translation *translation)
{
    struct set set = {0};
    struct repetition repetition;
    if (take_repetition(translation, &repetition))
        return fail(translation);
    char byte = take_byte(translation);
    switch (byte) {
    case '(':
        return read_group(translation);
    case '[':
        read_set(translation, &set);
        return translation->has_failed ? 0 : append_set(translation, &set);
    case '.':
        return read_dot(translation);
    case '\\':
        return read_escape(translation);
    case '^':
        return append_anchor(translation, "^");
    case '$':
        return append_anchor(translation, "$");
    default:
        return append_one(translation, byte);
    }
}

/*
 * The size of what may be repeated. A text matches whether as much or as little as possible is repeated. The
 * C library errs about anchors that are repeated.
 */
static size_t read_repeated(struct translation *translation)
{
    struct repetition repetition, another;
    size_t anchors = translation->anchors, size = read_atom(translation);
    if (!take_repetition(translation, &repetition))
        return size;
    size_t copies = repetition.is_open ? repetition.least + 1 : repetition.most;
    bool is_valid = repetition.is_open || repetition.least <= repetition.most;
    take(translation, SLICE("?"));
    if (!size || translation->anchors > anchors || !is_valid || !copies || copies > REPEATS_MAX ||
        size * copies > SIZE_MAX_OF_ONE || take_repetition(translation, &another))
        return fail(translation);
    append_repetition(&translation->text, &repetition);
    return size * copies;
}

static size_t read_sequence(struct translation *translation)
{
    size_t size = 0;
    while (translation->rest.length && !starts_with(translation, SLICE("|")) &&
           !starts_with(translation, SLICE(")")))
        size += read_repeated(translation);
    return size;
}

static size_t read_alternative(struct translation *translation)
{
    size_t start = translation->text.length;
    size_t size = read_sequence(translation);
    struct slice sequence = slice_from(text_slice(&translation->text), start);
    translation->has_empty |= !size;
    translation->begins_anywhere |= !translation->depth && !slice_starts_with(sequence, SLICE("^"));
    return size;
}

static size_t read_alternatives(struct translation *translation)
{
    size_t size = read_alternative(translation);
    while (take(translation, SLICE("|"))) {
        text_append(&translation->text, SLICE("|"));
        size += 1 + read_alternative(translation);
    }
    return size;
}

/*
 * The pattern for the C library, and its size. It is searched from the begin of the text alone: a search from
 * each place takes long. Returns NULL for a pattern that the C library cannot match.
 */
static const char *translate(struct slice pattern, struct arena *arena, struct custom_expression *expression)
{
    struct translation translation = {.rest = pattern, .text = text_start(arena, 2 * pattern.length)};
    if (pattern.length > PATTERN_BYTES_MAX)
        return NULL;
    size_t size = 1 + read_alternatives(&translation);
    struct slice translated = text_slice(&translation.text);
    /* The C library of musl errs about empty alternatives and anchors behind .* */
    bool is_odd = translation.begins_anywhere && translation.has_empty && translation.anchors;
    if (translation.has_failed || translation.rest.length || size > SIZE_MAX_OF_ONE || is_odd)
        return NULL;
    expression->size = size;
    expression->matches_others = translation.matches_others;
    expression->has_inner_anchor =
        translation.has_inner_anchor || (translation.begins_anywhere && slice_contains(translated, '^'));
    return translation.begins_anywhere ? text_join_string(arena, "^.*(", translated, ")")
                                       : text_join_string(arena, translated);
}

static void compile(
    struct custom_patterns *patterns, struct custom_expression *expression, struct slice pattern)
{
    const char *translated = translate(pattern, patterns->arena, expression);
    if (!translated || patterns->compiled + expression->size > SIZE_MAX_OF_ALL ||
        regcomp(&expression->compiled, translated, REG_EXTENDED | REG_NOSUB) != 0)
        expression->size = 0;
    patterns->compiled += expression->size;
}

static const struct custom_expression *find(struct custom_patterns *patterns, struct slice pattern)
{
    struct custom_expression *found = patterns->first;
    while (found && found->pattern != pattern.bytes)
        found = found->next;
    if (found)
        return found;
    found =
        patterns->count < EXPRESSIONS_MAX ? arena_allocate_array(patterns->arena, 1, sizeof(*found)) : NULL;
    if (!found)
        return NULL;
    patterns->count++;
    *found = (struct custom_expression){.next = patterns->first, .pattern = pattern.bytes};
    compile(patterns, found, pattern);
    patterns->first = found;
    return found;
}

/* Whether the C library reads the text as Go does. */
static bool is_read_alike(const struct custom_expression *expression, struct slice text)
{
    return text.length <= TEXT_BYTES_MAX && !slice_contains(text, '\0') &&
        !(expression->matches_others && text_ascii_length(text) < text.length) &&
        !(expression->has_inner_anchor && slice_contains(text, '\n'));
}

static bool spend(struct custom_patterns *patterns, size_t size, size_t length)
{
    size_t effort = size * size * length;
    if (!size || effort > EFFORT_MAX_OF_ONE || patterns->effort + effort > EFFORT_MAX_OF_ALL)
        return false;
    patterns->effort += effort;
    return true;
}

enum search_answer custom_pattern_matches(
    struct custom_patterns *patterns, struct slice pattern, struct slice text)
{
    char subject[TEXT_BYTES_MAX + 1];
    const struct custom_expression *expression = find(patterns, pattern);
    if (!expression || !is_read_alike(expression, text) ||
        !spend(patterns, expression->size, text.length + 1))
        return ANSWER_UNKNOWN;
    memcpy(subject, text.bytes ? text.bytes : "", text.length);
    subject[text.length] = '\0';
    int status = regexec(&expression->compiled, subject, 0, NULL, 0);
    return status == 0 ? ANSWER_YES : status == REG_NOMATCH ? ANSWER_NO : ANSWER_UNKNOWN;
}

void custom_patterns_free(struct custom_patterns *patterns)
{
    for (struct custom_expression *each = patterns->first; each; each = each->next) {
        if (each->size)
            regfree(&each->compiled);
    }
    patterns->first = NULL;
}
