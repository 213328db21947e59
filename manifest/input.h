/*
 * input.h: the text of an input, of which a part is in memory at a time.
 *
 * What comes in becomes UTF-8 as kubectl makes it so (cli-runtime, FileVisitor: unicode.BOMOverride): UTF-16
 * with a byte order mark is translated, and of what is not UTF-8 each broken sequence becomes U+FFFD. After a
 * UTF-8 byte order mark bytes stay as they are.
 */
#ifndef APPLYGUARD_MANIFEST_INPUT_H
#define APPLYGUARD_MANIFEST_INPUT_H

#include "base/slice.h"
#include "manifest/source.h"

#include <stdbool.h>

enum input_encoding { INPUT_UNKNOWN, INPUT_UTF8, INPUT_UTF8_MARKED, INPUT_UTF16_LITTLE, INPUT_UTF16_BIG };

/* How many bytes are read at a time. */
#define INPUT_READ_BYTES ((size_t)32 * 1024)

/* One owner, closed by input_close. */
struct input {
    manifest_read *read;
    void *context;
    unsigned char raw[INPUT_READ_BYTES];
    size_t raw_length; /* of what was read, and is not yet translated */
    enum input_encoding encoding;
    char *bytes;  /* the window */
    size_t start; /* where what is not consumed begins in it */
    size_t end;
    size_t capacity;
    size_t passed;      /* bytes that were before the window's first */
    size_t replaced_at; /* of the first U+FFFD that stands for bytes that are not UTF-8; SIZE_MAX: none yet */
    bool is_all;        /* no more will come */
    int failure;        /* errno of a read that failed; 0: none */
    bool is_memory_out;
};

void input_open(struct input *input, manifest_read *read, void *context);
void input_close(struct input *input);

/* What is in the window, until the next input_fill. */
static inline struct slice input_text(const struct input *input)
{
    if (!input->bytes)
        return (struct slice){NULL, 0};
    return (struct slice){input->bytes + input->start, input->end - input->start};
}

/* Reads more, after what is there. False if there is no more; `is_all` is set then. */
bool input_fill(struct input *input);

/* Forgets the first bytes of the window. */
void input_consume(struct input *input, size_t length);

/* Whether bytes that are not UTF-8 were replaced before the window, or in its first `length` bytes. */
bool input_has_replaced(const struct input *input, size_t length);

#endif
