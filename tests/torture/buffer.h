/*
 * buffer.h: text that grows, for reviews that are made and not recorded.
 */
#ifndef APPLYGUARD_TESTS_TORTURE_BUFFER_H
#define APPLYGUARD_TESTS_TORTURE_BUFFER_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct buffer {
    char *bytes;
    size_t length;
    size_t capacity;
};

static inline void buffer_append(struct buffer *buffer, struct slice text)
{
    if (text.length > buffer->capacity - buffer->length) {
        buffer->capacity = (buffer->length + text.length) * 2;
        buffer->bytes = realloc(buffer->bytes, buffer->capacity);
        if (!buffer->bytes)
            abort();
    }
    if (text.length)
        memcpy(buffer->bytes + buffer->length, text.bytes, text.length);
    buffer->length += text.length;
}

static inline void buffer_string(struct buffer *buffer, const char *string)
{
    buffer_append(buffer, slice_of(string));
}

/* `format` may show the number up to four times, as %zu. */
static inline void buffer_number(struct buffer *buffer, const char *format, size_t number)
{
    char piece[512];
    int length = snprintf(piece, sizeof(piece), format, number, number, number, number);
    buffer_append(buffer, (struct slice){piece, (size_t)length});
}

/* The pieces for 0 to count - 1, with commas between. */
static inline void buffer_repeat(struct buffer *buffer, const char *format, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        buffer_string(buffer, i ? "," : "");
        buffer_number(buffer, format, i);
    }
}

/* The pieces for count - 1 down to 0. */
static inline void buffer_repeat_down(struct buffer *buffer, const char *format, size_t count)
{
    for (size_t i = count; i > 0; i--) {
        buffer_string(buffer, i < count ? "," : "");
        buffer_number(buffer, format, i - 1);
    }
}

/* The string again and again. */
static inline void buffer_times(struct buffer *buffer, const char *string, size_t count)
{
    for (size_t i = 0; i < count; i++)
        buffer_string(buffer, string);
}

static inline struct slice buffer_slice(const struct buffer *buffer)
{
    return (struct slice){buffer->bytes, buffer->length};
}

static inline void buffer_free(struct buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct buffer){0};
}

#endif
