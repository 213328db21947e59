#include "base/words.h"

#include "base/ascii.h"

#include <limits.h>

bool word_find(struct slice text, const char *const *known, size_t count, size_t *index)
{
    for (size_t i = 0; i < count; i++) {
        if (slice_equal(text, slice_of(known[i]))) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* Longer words are no slips of the pen. */
#define WORD_BYTES_MAX 48

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

unsigned word_distance(struct slice a, struct slice b)
{
    unsigned row[WORD_BYTES_MAX + 1];
    if (a.length > WORD_BYTES_MAX || b.length > WORD_BYTES_MAX)
        return UINT_MAX;
    for (unsigned j = 0; j <= b.length; j++)
        row[j] = j;
    for (unsigned i = 1; i <= a.length; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= b.length; j++) {
            unsigned above = row[j];
            unsigned change = ascii_to_lower(a.bytes[i - 1]) != ascii_to_lower(b.bytes[j - 1]);
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + change);
            diagonal = above;
        }
    }
    return row[b.length];
}

const char *word_nearest(struct slice text, const char *const *known, size_t count)
{
    const char *nearest = NULL;
    unsigned least = WORD_BYTES_MAX;
    for (size_t i = 0; i < count; i++) {
        struct slice word = slice_of(known[i]);
        unsigned distance = word_distance(text, word);
        if (distance < least && distance <= (word.length + 2) / 3) {
            least = distance;
            nearest = known[i];
        }
    }
    return nearest;
}
