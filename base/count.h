/*
 * count.h: the number of elements of an array.
 */
#ifndef APPLYGUARD_BASE_COUNT_H
#define APPLYGUARD_BASE_COUNT_H

/* For arrays only, not for pointers to their first element. */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
