/*
 * ca_bundle.h: the caBundle of the webhooks in a manifest, set without touching anything else of its text.
 */
#ifndef APPLYGUARD_CLI_CA_BUNDLE_H
#define APPLYGUARD_CLI_CA_BUNDLE_H

#include "base/error.h"
#include "base/slice.h"

#include <stdio.h>

/*
 * Prints `manifest`, YAML or JSON of any number of documents, with `base64` as the caBundle of each
 * clientConfig of webhooks, also within a List. -1 and an error, with line and column where there is a place,
 * if it cannot be read or has no webhooks; then nothing is printed.
 */
int ca_bundle_set(struct slice manifest, const char *base64, FILE *out, struct error *error);

#endif
