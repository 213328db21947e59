/*
 * issue.h: issues authorities and certificates into a directory, for `certs create` and `certs renew`.
 */
#ifndef APPLYGUARD_CLI_ISSUE_H
#define APPLYGUARD_CLI_ISSUE_H

#include "certs/certificate.h"
#include "certs/directory.h"
#include "cli/certs.h"

/* Creates an authority with a new key. Its name begins with `name`. */
int issue_authority(
    const struct certs_options *options, const char *name, int64_t now, struct authority *authority,
    struct error *error);

/* Creates a key and a certificate for it, and writes both files. */
int issue_leaf(
    const struct directory *directory, const struct certs_options *options, const struct authority *authority,
    GENERAL_NAMES *names, int64_t now, struct error *error);

/* Writes a key with mode 0600. */
int issue_write_key(
    const struct directory *directory, const char *name, const EVP_PKEY *key, struct error *error);

/* Writes ca.crt: the authorities in this order, except for NULLs. */
int issue_write_bundle(
    const struct directory *directory, X509 *const *authorities, size_t count, struct error *error);

#endif
