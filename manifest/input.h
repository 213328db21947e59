/*
 * input.h: the text of an input; only a part of it is in memory at a time.
 *
 * Bytes become UTF-8 as in kubectl (cli-runtime, FileVisitor: unicode.BOMOverride): UTF-16 with a byte order
 * mark is translated, and each broken sequence of UTF-8 becomes U+FFFD. After a UTF-8 byte order mark, bytes
 * stay as they are.
 */
#ifndef APPLYGUARD_MANIFEST_INPUT_H
#define APPLYGUARD_MANIFEST_INPUT_H

#include "base/slice.h"
#include "manifest/source.h"

#include <stdbool.h>

enum input_encoding { INPUT_UNKNOWN, INPUT_UTF8, INPUT_UTF8_MARKED, INPUT_UTF16_LITTLE, INPUT_UTF16_BIG };

/* How many bytes are read at a time. */
#define INPUT_READ_BYTES ((size_t)32 * 1024)

/* Free it with input_close. */
struct input {
    manifest_read *read;
    void *context;
    unsigned char raw[INPUT_READ_BYTES];
    size_t raw_length; /* of bytes that were read, but not translated yet */
    enum input_encoding encoding;
    char *bytes;  /* the window */
    size_t start; /* where the unconsumed bytes begin in it */
    size_t end;
    size_t capacity;
    size_t passed;      /* the number of bytes before the window's first */
    size_t replaced_at; /* the offset of the first U+FFFD that replaces bytes that are not UTF-8; SIZE_MAX:
                           none yet */
    bool is_all;        /* the input has ended */
    int failure;        /* errno of a failed read; 0: none */
    bool is_memory_out;
};

void input_open(struct input *input, manifest_read *read, void *context);
void input_close(struct input *input);

/* The text in the window, until the next input_fill. */
static inline struct slice input_text(const struct input *input)
{
    if (!input->bytes)
        return (struct slice){NULL, 0};
    return (struct slice){input->bytes + input->start, input->end - input->start};
}

/* Reads more, and appends it. Returns false at the end; `is_all` is set then. */
bool input_fill(struct input *input);

/* Drops the first bytes of the window. */
void input_consume(struct input *input, size_t length);

/* Whether bytes that are not UTF-8 were replaced before the window, or in its first `length` bytes. */
bool input_has_replaced(const struct input *input, size_t length);

#endif
