/*
 * marks.h: why fields are as they are. Private to blame/.
 */
#ifndef APPLYGUARD_BLAME_MARKS_H
#define APPLYGUARD_BLAME_MARKS_H

#include "blame/object.h"

/* Sets the marks of all fields of a tree. False if there is no memory. */
bool marks_set(struct blame *blame);

#endif
