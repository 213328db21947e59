/*
 * line_reader.h: the lines of a file, plain or packed with gzip, one in memory at a time. Private to audit/.
 */
#ifndef APPLYGUARD_AUDIT_LINE_READER_H
#define APPLYGUARD_AUDIT_LINE_READER_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The longest line that is read. The API server takes objects of 3 MiB at most, and an event has two of them;
 * the webhook backend sends 10 MiB at once.
 */
#define LINE_BYTES_MAX ((size_t)16 * 1024 * 1024)

struct line {
    char *bytes; /* YYJSON_PADDING_SIZE bytes may be written behind it */
    size_t length;
    unsigned number; /* 1-based */
    bool is_torn;    /* the file ends within it */
};

enum line_result {
    LINE_READ,       /* `line` is filled, until the next call */
    LINE_TOO_LONG,   /* of it only the number is known; read on */
    LINE_UNREADABLE, /* nothing can be read behind this; `error` is filled */
    LINE_END,
};

struct line_reader;

/* Reads from the descriptor, which it closes, also if it fails. NULL: there is no memory. */
struct line_reader *line_reader_open(int descriptor);

enum line_result line_reader_next(struct line_reader *reader, struct line *line, struct error *error);

/* Accepts NULL. */
void line_reader_close(struct line_reader *reader);

#endif
