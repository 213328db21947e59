/*
 * problem.h: what OpenSSL says is wrong, as an error value.
 */
#ifndef APPLYGUARD_CERTS_PROBLEM_H
#define APPLYGUARD_CERTS_PROBLEM_H

#include "base/error.h"

#include <openssl/err.h>

/* `what` and OpenSSL's own reason, whose queue is empty afterwards. Returns -1. */
int openssl_problem(struct error *error, const char *what);

#endif
