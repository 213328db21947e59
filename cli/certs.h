/*
 * certs.h: the subcommands of `applyguard certs`, for people who manage certificates by hand or in a Job.
 *
 * A directory contains ca.crt (all trusted authorities, the signing one first), ca.key, tls.crt and tls.key,
 * and, while the next authority is staged, ca-next.key. Each function gets parsed flags, prints errors on
 * stderr and returns the exit status.
 */
#ifndef APPLYGUARD_CLI_CERTS_H
#define APPLYGUARD_CLI_CERTS_H

#include "base/error.h"
#include "certs/issue.h"
#include "cli/framework/command_line.h"

#include <stdbool.h>
#include <stdint.h>

#define DAY_SECONDS 86400

/* The validity of a leaf made by hand: longer than that of a leaf that the server renews. */
#define CERTS_DEFAULT_DAYS 90
#define CERTS_DEFAULT_CA_DAYS 365
#define CERTS_DAYS_MAX 36500

struct certs_options {
    const char *out; /* a directory */
    const char *service;
    const char *namespace;
    GENERAL_NAMES *names; /* from --dns and --ip */
    struct issue_options issue;
    bool is_forced;
    const char *ca;            /* a file */
    const char *configuration; /* a ValidatingWebhookConfiguration in the cluster */
    const char *kubeconfig;
    const char *context;
    struct error error; /* of a flag's value */
};

int certs_create(const struct command *command, void *parsed, const struct operands *operands);
int certs_show(const struct command *command, void *parsed, const struct operands *operands);
int certs_renew(const struct command *command, void *parsed, const struct operands *operands);
int certs_inject(const struct command *command, void *parsed, const struct operands *operands);

/* Sets the caBundle, given in base64, in the configuration that the options name: the subject of errors. */
int certs_publish(const struct certs_options *options, const char *base64, struct error *error);

/* Issues a leaf for these names, and prints how long it is valid if that is shorter than --days. */
int certs_issue_leaf(
    const struct certs_options *options, const struct directory *directory, const struct authority *authority,
    GENERAL_NAMES *names, int64_t now, struct error *error);

/* Reads the certificates of a file; "-" is standard input. Returns NULL and sets the error. */
STACK_OF(X509) * certs_read_file(const char *path, struct error *error);

/* The certificates, and the key, of a file in a directory. Return NULL and set the error. */
STACK_OF(X509) * certs_read_bundle(const struct directory *directory, const char *name, struct error *error);
EVP_PKEY *certs_read_key(const struct directory *directory, const char *name, struct error *error);

#endif
