#include "manifest/notes.h"

#include "base/ascii.h"

#include <stdlib.h>

void notes_add(struct notes *notes, const struct manifest_ambiguity *ambiguity)
{
    struct manifest_ambiguity *items =
        arena_grow(notes->arena, notes->items, notes->count, &notes->capacity, sizeof(*items));
    if (!items)
        return;
    notes->items = items;
    notes->items[notes->count++] = *ambiguity;
}

static struct slice without_sign(struct slice text)
{
    bool has_sign = text.length && (text.bytes[0] == '-' || text.bytes[0] == '+');
    return slice_from(text, has_sign);
}

/* Whether the two characters are digits above 59. */
static bool is_above_59(struct slice text, size_t at)
{
    return at + 1 < text.length && ascii_is_digit(text.bytes[at + 1]) && text.bytes[at] > '5';
}

bool notes_is_sexagesimal(struct slice text)
{
    text = without_sign(text);
    if (!text.length || text.bytes[0] < '0' || text.bytes[0] > '9' || !slice_contains(text, ':'))
        return false;
    size_t in_group = 0, groups = 0;
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] == ':') {
            if (groups && !in_group)
                return false;
            in_group = 0;
            groups++;
        } else if (text.bytes[i] == '.') {
            return groups > 0 && in_group > 0;
        } else if (
            !ascii_is_digit(text.bytes[i]) || (groups && ++in_group > 2) ||
            (in_group == 1 && is_above_59(text, i))) {
            return false;
        }
    }
    return in_group > 0;
}

/* JSON's own words true and false are not ambiguous. */
static bool is_true_or_false(struct slice text)
{
    return text.length >= 4 && ((text.bytes[0] | 0x20) == 't' || (text.bytes[0] | 0x20) == 'f');
}

static bool note_of_integer(struct slice digits, enum manifest_ambiguity_kind *kind)
{
    bool has_prefix = digits.length > 1 && digits.bytes[0] == '0';
    char letter = has_prefix ? (char)(digits.bytes[1] | 0x20) : '\0';
    if (letter == 'x' || letter == 'b')
        *kind = MANIFEST_OTHER_BASE;
    else if (has_prefix)
        *kind = MANIFEST_OCTAL;
    else if (slice_contains(digits, '_'))
        *kind = MANIFEST_UNDERSCORES;
    else
        return false;
    return true;
}

/* The number of digits without zeros at either end. */
static size_t significant_digits(struct slice digits)
{
    size_t count = 0, zeros = 0;
    for (size_t i = 0; i < digits.length && (digits.bytes[i] | 0x20) != 'e'; i++) {
        if (!ascii_is_digit(digits.bytes[i]) || (digits.bytes[i] == '0' && !count))
            continue;
        zeros = digits.bytes[i] == '0' ? zeros + 1 : 0;
        count++;
    }
    return count - zeros;
}

static bool note_of_real(struct slice digits, struct slice read_as, enum manifest_ambiguity_kind *kind)
{
    if (slice_contains(digits, 'e') || slice_contains(digits, 'E'))
        *kind = slice_contains(digits, '-') || slice_contains(digits, '+') ? MANIFEST_SIGNED_EXPONENT
                                                                           : MANIFEST_EXPONENT;
    else if (slice_contains(digits, '_'))
        *kind = MANIFEST_UNDERSCORES;
    else if (significant_digits(digits) > 15 && significant_digits(digits) != significant_digits(read_as))
        *kind = MANIFEST_LOST_DIGITS;
    else if (slice_contains(digits, '.') && digits.bytes[digits.length - 1] == '0')
        *kind = MANIFEST_TRAILING_ZERO;
    else if (digits.length > 1 && digits.bytes[0] == '0' && ascii_is_digit(digits.bytes[1]))
        *kind = MANIFEST_LEADING_ZERO;
    else
        return false;
    return true;
}

static bool note_of(
    struct slice written, const struct resolved *resolved, struct slice read_as,
    enum manifest_ambiguity_kind *kind)
{
    switch (resolved->kind) {
    case RESOLVED_BOOL:
        *kind = MANIFEST_BOOLEAN_WORD;
        return !is_true_or_false(written);
    case RESOLVED_INT:
        return note_of_integer(without_sign(written), kind);
    case RESOLVED_NATURAL:
        *kind = MANIFEST_LOST_DIGITS;
        return true;
    case RESOLVED_REAL:
        return note_of_real(without_sign(written), read_as, kind);
    case RESOLVED_TIMESTAMP:
        *kind = MANIFEST_TIMESTAMP;
        return true;
    case RESOLVED_TEXT:
        *kind = MANIFEST_SEXAGESIMAL;
        return notes_is_sexagesimal(written);
    default:
        return false;
    }
}

void notes_add_scalar(
    struct notes *notes, struct slice written, const struct resolved *resolved, struct slice read_as,
    bool is_key, struct manifest_place place)
{
    struct manifest_ambiguity ambiguity = {
        .is_key = is_key, .place = place, .written = written, .read_as = read_as};
    if (note_of(written, resolved, read_as, &ambiguity.kind))
        notes_add(notes, &ambiguity);
}

static int compare_places(const void *a, const void *b)
{
    const struct manifest_place *x = &((const struct manifest_ambiguity *)a)->place;
    const struct manifest_place *y = &((const struct manifest_ambiguity *)b)->place;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    enum manifest_ambiguity_kind a_kind = ((const struct manifest_ambiguity *)a)->kind;
    enum manifest_ambiguity_kind b_kind = ((const struct manifest_ambiguity *)b)->kind;
    return (a_kind > b_kind) - (a_kind < b_kind);
}

void notes_sort(struct notes *notes)
{
    if (notes->count > 1)
        qsort(notes->items, notes->count, sizeof(*notes->items), compare_places);
}
