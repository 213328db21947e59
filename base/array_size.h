/*
 * array_size.h: the number of elements of an array.
 */
#ifndef APPLYGUARD_BASE_ARRAY_SIZE_H
#define APPLYGUARD_BASE_ARRAY_SIZE_H

/* For arrays only, not for pointers to their first element. */
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#endif
