/*
 * container.h: documents that hold events as elements of an array, on one line or on many. Private to audit/.
 *
 * Such a document may be as long as a whole log, so its elements are read one at a time, and the text around
 * them is only scanned.
 */
#ifndef APPLYGUARD_AUDIT_CONTAINER_H
#define APPLYGUARD_AUDIT_CONTAINER_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

enum container {
    CONTAINER_NONE,
    CONTAINER_ARRAY,   /* of gcloud logging read; its newest element may be first */
    CONTAINER_EVENTS,  /* items of an EventList, which have no kind of their own */
    CONTAINER_RECORDS, /* of CloudWatch Logs and of an Azure Event Hub */
};

/* The longest beginning of a document, up to its first element. */
#define CONTAINER_HEAD_BYTES ((size_t)4096)

/*
 * Whether a document begins here that is such a container. `*length` is the length of all before its first
 * element.
 */
enum container container_open(struct slice text, size_t *length);

/* Where a scan over a JSON value is, which may begin in one chunk and end in another. All zero: at its start.
 */
struct container_scan {
    size_t depth;
    bool is_in_string;
    bool is_escaped;
    bool is_scalar; /* a number or a word, which ends where something else begins */
    bool has_ended;
    bool is_broken; /* a line ends within a string, so the value does */
    size_t lines;   /* ends of lines that were passed */
};

/* How many bytes at the start of the text belong to the value. */
size_t container_scan(struct container_scan *scan, struct slice text);

#endif
