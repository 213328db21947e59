/*
 * text_value.h: a text as a value. Private to preview/.
 */
#ifndef APPLYGUARD_APPLY_TEXT_VALUE_H
#define APPLYGUARD_APPLY_TEXT_VALUE_H

#include "apply/merge/value.h"

/* NULL if there is no memory. */
const struct value *text_value(struct slice text, struct arena *arena);

#endif
