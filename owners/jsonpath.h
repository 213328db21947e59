/*
 * jsonpath.h: the path of a field as kubectl's -o jsonpath takes it.
 */
#ifndef APPLYGUARD_OWNERS_JSONPATH_H
#define APPLYGUARD_OWNERS_JSONPATH_H

#include "base/text.h"
#include "owners/live.h"

/*
 * Appends {.spec.containers[0].image}. Without a live object, or if it lacks the field, list items are found
 * by the first of their keys: {.spec.containers[?(@.name=="web")].image}; and for items of sets the whole set
 * is shown.
 */
void jsonpath_append(struct text *text, struct slice path, const struct live_object *live);

#endif
