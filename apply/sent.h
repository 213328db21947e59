/*
 * sent.h: what an applier sends without what the API server makes itself: `status`, and members of `metadata`
 * such as `resourceVersion`. Private to preview/.
 */
#ifndef APPLYGUARD_APPLY_SENT_H
#define APPLYGUARD_APPLY_SENT_H

#include "apply/merge/value.h"

/* The object without what the API server makes itself. NULL if there is no memory. */
const struct value *sent_declared(const struct value *object, struct arena *arena);

/* The object with what the API server made of the live one. NULL if there is no memory. */
const struct value *sent_with_live(const struct value *object, const struct value *live, struct arena *arena);

#endif
