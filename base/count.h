/*
 * count.h: how many elements an array has.
 */
#ifndef APPLYGUARD_BASE_COUNT_H
#define APPLYGUARD_BASE_COUNT_H

/* Of an array itself: a pointer to its first element does not know. */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
