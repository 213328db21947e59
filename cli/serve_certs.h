/*
 * serve_certs.h: the flags of `applyguard serve` for certificates that it issues itself.
 */
#ifndef APPLYGUARD_CLI_SERVE_CERTS_H
#define APPLYGUARD_CLI_SERVE_CERTS_H

#include "webhook/server/settings.h"

/* The values of the flags. It is created with the settings' issuer, which it fills. */
struct serve_certs {
    struct issuer_settings *issuer;
    const char *secret; /* NAMESPACE/NAME */
    const char *service;
    char *namespace;      /* owned */
    GENERAL_NAMES *names; /* owned */
    struct error error;
};

/* Each returns NULL, or a text about the invalid value. */
const char *serve_certs_add_configuration(struct serve_certs *certs, const char *name);
const char *serve_certs_add_dns(struct serve_certs *certs, const char *name);
const char *serve_certs_add_ip(struct serve_certs *certs, const char *address);

/*
 * Checks the flags together and fills the issuer's settings. Returns NULL, or a text about the problem, and
 * sets `flag`. `certs` must live as long as the settings, which point into it.
 */
const char *serve_certs_finish(struct serve_certs *certs, const struct settings *settings, const char **flag);

void serve_certs_release(struct serve_certs *certs);

#endif
