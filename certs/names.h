/*
 * names.h: the names a certificate is good for (its subject alternative names).
 *
 * The API server calls a webhook's Service as NAME.NAMESPACE.svc and looks for exactly that name; everything
 * else is for people and tools.
 */
#ifndef APPLYGUARD_CERTS_NAMES_H
#define APPLYGUARD_CERTS_NAMES_H

#include "base/error.h"
#include "base/slice.h"

#include <openssl/x509v3.h>
#include <stdbool.h>

/* More in one certificate than anybody needs; it bounds what a handshake carries. */
#define NAMES_MAX 100

/* An empty list, freed with GENERAL_NAMES_free. NULL if there is no memory. */
GENERAL_NAMES *names_create(struct error *error);

/* Each adds to the list what is not yet in it; -1 and an error for what no certificate can name. */

/* NAME.NAMESPACE.svc and NAME.NAMESPACE.svc.cluster.local. */
int names_add_service(GENERAL_NAMES *names, const char *service, const char *namespace, struct error *error);

/* A DNS name; its first label may be "*". */
int names_add_dns(GENERAL_NAMES *names, const char *name, struct error *error);

/* An IPv4 or IPv6 address. */
int names_add_ip(GENERAL_NAMES *names, const char *address, struct error *error);

/* The names of a certificate; NULL if it has none. */
GENERAL_NAMES *names_of(const X509 *certificate);

/* Whether both hold the same names, in any order. NULL holds none. */
bool names_equal(const GENERAL_NAMES *a, const GENERAL_NAMES *b);

#endif
