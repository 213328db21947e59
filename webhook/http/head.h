/*
 * head.h: whether the head of a request can be read in one way only.
 *
 * Two who disagree on where a request ends can be made to take a part of its body for another request
 * (request smuggling). H2O takes what others read otherwise: a length that is stated twice or beside chunks,
 * lines that are folded or end without a carriage return, and anything behind the digits of a chunk's size.
 * No proxy is needed between the API server and the webhook, but one may be there.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_HEAD_H
#define APPLYGUARD_WEBHOOK_HTTP_HEAD_H

#include "base/slice.h"

enum head {
    HEAD_PLAIN,
    HEAD_AMBIGUOUS,
    HEAD_WITHOUT_LENGTH, /* the body comes in chunks, which the API server never sends */
};

/* `input` begins with a request that H2O has parsed; bytes behind its head are not looked at. */
enum head head_check(struct slice input);

#endif
