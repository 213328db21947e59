/*
 * container.h: documents that contain events as elements of an array, on one line or on many. Private to this
 * component.
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
    CONTAINER_ARRAY,   /* from gcloud logging read; its newest element may be first */
    CONTAINER_EVENTS,  /* items of an EventList, which lack a kind */
    CONTAINER_RECORDS, /* from CloudWatch Logs and from an Azure Event Hub */
    CONTAINER_RESULTS, /* from CloudWatch Logs Insights; its newest element may be first */
};

/* The limit of the beginning of a document, up to its first element. */
#define CONTAINER_HEAD_BYTES ((size_t)4096)

/* Whether such a container begins here. `*length` is the length of the text before its first element. */
enum container container_open(struct slice text, size_t *length);

/*
 * The state of a scan over a JSON value, which may begin in one chunk and end in another. All zero at its
 * start.
 */
struct container_scan {
    size_t depth;
    bool is_in_string;
    bool is_escaped;
    bool is_scalar; /* a number or a word, which ends at the next other character */
    bool has_ended;
    bool is_broken; /* a line ends inside a string, so the value ends there */
    size_t lines;   /* line ends inside the value */
};

/* Returns how many bytes at the start of the text belong to the value. */
size_t container_scan(struct container_scan *scan, struct slice text);

#endif
