/*
 * head.h: checks that the head of a request is unambiguous.
 *
 * If a proxy and a server disagree on where a request ends, an attacker can smuggle a request in the body of
 * another. H2O accepts requests that others read differently: two lengths, a length together with chunks,
 * folded lines, lines without a carriage return, and any bytes after the digits of a chunk's size. A proxy
 * between the API server and the webhook is unnecessary, but there may be one.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_HEAD_H
#define APPLYGUARD_WEBHOOK_HTTP_HEAD_H

#include "base/slice.h"

enum head {
    HEAD_PLAIN,
    HEAD_AMBIGUOUS,
    HEAD_WITHOUT_LENGTH, /* the body is chunked, which the API server never sends */
};

/* `input` begins with a request that H2O has parsed. Ignores bytes after its head. */
enum head head_check(struct slice input);

#endif
