/*
 * dns.h: names in DNS, the form of most objects' names in Kubernetes (apimachinery, util/validation).
 */
#ifndef APPLYGUARD_BASE_DNS_H
#define APPLYGUARD_BASE_DNS_H

#include "base/slice.h"

#include <stdbool.h>

#define DNS_LABEL_BYTES_MAX 63
#define DNS_SUBDOMAIN_BYTES_MAX 253

/* Letters in lower case, digits, and dashes between them. */
bool dns_is_label(struct slice name);

/* Such labels with dots between them, of any length each. */
bool dns_is_subdomain(struct slice name);

#endif
