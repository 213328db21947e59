/* marks.h: why fields are as they are. Private to this component. */
#ifndef APPLYGUARD_OWNERS_MARKS_H
#define APPLYGUARD_OWNERS_MARKS_H

#include "owners/object.h"

/* Sets the marks of all fields of a tree. Returns false if memory runs out. */
bool marks_set(struct blame *blame);

#endif
