/*
 * validity_flag.h: lifetimes of certificates, as flags take them.
 */
#ifndef APPLYGUARD_CERTS_VALIDITY_FLAG_H
#define APPLYGUARD_CERTS_VALIDITY_FLAG_H

#include <stdint.h>

/* Parses a duration of a second or more; a part of a second is left out. Returns as duration_parse. */
const char *validity_parse(const char *text, int64_t *seconds);

#endif
