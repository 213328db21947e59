/*
 * ca_bundle.h: sets the caBundle of the webhooks in a manifest, and changes nothing else in its text.
 */
#ifndef APPLYGUARD_ISSUER_CA_BUNDLE_H
#define APPLYGUARD_ISSUER_CA_BUNDLE_H

#include "base/error.h"
#include "base/slice.h"

#include <stdio.h>

/*
 * Prints `manifest`, which is YAML or JSON with any number of documents, with `base64` as the caBundle of
 * each webhook's clientConfig, also inside a List. If it cannot be read or has no webhooks, prints nothing,
 * fills `error` (with line and column if there are any) and returns -1.
 */
int ca_bundle_set(struct slice manifest, const char *base64, FILE *out, struct error *error);

#endif
