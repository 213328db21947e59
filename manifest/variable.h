/* variable.h: text that something replaces between a manifest and its apply: Flux, kustomize, a template. */
#ifndef APPLYGUARD_MANIFEST_VARIABLE_H
#define APPLYGUARD_MANIFEST_VARIABLE_H

#include "base/slice.h"

#include <stdbool.h>

/* Whether the text contains ${ or $(. */
bool variable_is_in(struct slice text);

/* Whether it contains one of these, or {{. */
bool variable_or_template_is_in(struct slice text);

#endif
