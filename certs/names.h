/*
 * names.h: the subject alternative names of a certificate.
 *
 * The API server calls a webhook's Service as NAME.NAMESPACE.svc and requires exactly that name. Other names
 * are for people and tools.
 */
#ifndef APPLYGUARD_CERTS_NAMES_H
#define APPLYGUARD_CERTS_NAMES_H

#include "base/error.h"
#include "base/slice.h"

#include <openssl/x509v3.h>
#include <stdbool.h>

/* The limit of names in a certificate. It bounds the size of a handshake. */
#define NAMES_MAX 100

/* Creates an empty list. Free it with GENERAL_NAMES_free. NULL if memory runs out. */
GENERAL_NAMES *names_create(struct error *error);

/* The following functions add to the list what is not yet in it. -1 and an error for an invalid name. */

/* NAME.NAMESPACE.svc and NAME.NAMESPACE.svc.cluster.local. */
int names_add_service(GENERAL_NAMES *names, const char *service, const char *namespace, struct error *error);

/* A DNS name; its first label may be "*". */
int names_add_dns(GENERAL_NAMES *names, const char *name, struct error *error);

/* An IPv4 or IPv6 address. */
int names_add_ip(GENERAL_NAMES *names, const char *address, struct error *error);

/* The names of a certificate; NULL if it has none. */
GENERAL_NAMES *names_of(const X509 *certificate);

#endif
