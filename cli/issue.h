/*
 * issue.h: the authorities and the certificate in a directory, as `certs create` and `certs renew` write
 * them.
 */
#ifndef APPLYGUARD_CLI_ISSUE_H
#define APPLYGUARD_CLI_ISSUE_H

#include "certs/certificate.h"
#include "cli/certs.h"
#include "cli/directory.h"

/* A new authority with a key of its own, named after `name`. */
int issue_authority(
    const struct certs_options *options, const char *name, int64_t now, struct authority *authority,
    struct error *error);

/* A new key and a certificate for it; both files are written. */
int issue_leaf(
    const struct directory *directory, const struct certs_options *options, const struct authority *authority,
    GENERAL_NAMES *names, int64_t now, struct error *error);

/* Writes a key, 0600. */
int issue_write_key(
    const struct directory *directory, const char *name, const EVP_PKEY *key, struct error *error);

/* Writes ca.crt: the authorities in this order; NULL ones are left out. */
int issue_write_bundle(
    const struct directory *directory, X509 *const *authorities, size_t count, struct error *error);

#endif
