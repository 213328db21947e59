/*
 * problem.h: turns OpenSSL's errors into an error value.
 */
#ifndef APPLYGUARD_CERTS_PROBLEM_H
#define APPLYGUARD_CERTS_PROBLEM_H

#include "base/error.h"

#include <openssl/err.h>

/* Fills `error` with `what` and OpenSSL's reason, and empties OpenSSL's error queue. Returns -1. */
int openssl_problem(struct error *error, const char *what);

#endif
