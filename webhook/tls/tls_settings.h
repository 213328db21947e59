/*
 * tls_settings.h: what of TLS can be set.
 */
#ifndef APPLYGUARD_WEBHOOK_TLS_TLS_SETTINGS_H
#define APPLYGUARD_WEBHOOK_TLS_TLS_SETTINGS_H

#include <stddef.h>

/* API servers share a certificate's name, or have one each; nobody else asks. */
#define CLIENT_NAMES_MAX 16

struct tls_settings {
    const char *cert_path;      /* PEM: the certificate, then its chain; NULL: the server makes its own */
    const char *key_path;       /* PEM */
    const char *client_ca_path; /* PEM: who signs the certificates of clients; NULL: anybody may ask */
    const char *client_names[CLIENT_NAMES_MAX]; /* of the clients that may ask */
    size_t client_name_count;
};

#endif
