/*
 * tls_settings.h: the settings of TLS.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_TLS_SETTINGS_H
#define APPLYGUARD_WEBHOOK_TLS_TLS_SETTINGS_H

#include <stddef.h>

/* The limit of client names: all API servers share one name, or each has its own. */
#define CLIENT_NAMES_MAX 16

struct tls_settings {
    const char *cert_path;      /* PEM: the certificate, then its chain; NULL: the server issues its own */
    const char *key_path;       /* PEM */
    const char *client_ca_path; /* PEM: the CAs of clients; NULL: any client is accepted */
    const char *client_names[CLIENT_NAMES_MAX]; /* of the clients that are accepted */
    size_t client_name_count;
};

#endif
