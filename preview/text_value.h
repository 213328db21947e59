/*
 * text_value.h: a text as a value. Private to preview/.
 */
#ifndef APPLYGUARD_PREVIEW_TEXT_VALUE_H
#define APPLYGUARD_PREVIEW_TEXT_VALUE_H

#include "merge/value.h"

/* NULL if there is no memory. */
const struct value *text_value(struct slice text, struct arena *arena);

#endif
