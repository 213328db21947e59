/* variable.h: placeholders in a manifest, which a tool or a person replaces before the apply. */
#ifndef APPLYGUARD_MANIFEST_VARIABLE_H
#define APPLYGUARD_MANIFEST_VARIABLE_H

#include "base/slice.h"

#include <stdbool.h>

/* Whether the text contains ${ or $(. */
bool variable_is_in(struct slice text);

/* Whether it contains one of these, or {{. */
bool variable_or_template_is_in(struct slice text);

/* Whether it is a blank for people and scripts, such as <port> and NUM_NODES. */
bool variable_is_blank(struct slice text);

#endif
