/*
 * base64.h: base64 (RFC 4648), the form of bytes in Kubernetes' JSON.
 *
 * Keys are encoded and decoded by certs/secret_base64.h, which overwrites what it leaves in memory.
 */
#ifndef APPLYGUARD_BASE_BASE64_H
#define APPLYGUARD_BASE_BASE64_H

#include "base/text.h"

/* Whether it is one of the 64 digits. */
bool base64_is_digit(char byte);

/* Whether Go decodes it: padded, and with line breaks anywhere. */
bool base64_is_valid(struct slice text);

/* Whether `encoded` is the base64 of `plain`, as a Secret's data is of its stringData. */
bool base64_is_of(struct slice encoded, struct slice plain);

/* The bytes of base64 in the form that Go decodes (base64_is_valid). NULL bytes: it is not that, or memory
 * runs out. */
struct slice base64_decode(struct slice encoded, struct arena *arena);

/* Appends the bytes of base64url without padding (RFC 4648, section 5). False: it is not that. */
bool base64url_append_decoded(struct text *text, struct slice encoded);

/* Appends the base64url of bytes, without padding. */
void base64url_append(struct text *text, struct slice plain);

/* Appends the base64 of bytes. */
void base64_append(struct text *text, struct slice plain);

#endif
