/*
 * cleansing.h: yyjson's memory for JSON that holds keys.
 */
#ifndef APPLYGUARD_KUBE_CLEANSING_H
#define APPLYGUARD_KUBE_CLEANSING_H

#include <yyjson.h>

/* Overwrites each block before it is freed. What yyjson hands out goes back through its `free`. */
extern const yyjson_alc cleansing_allocator;

#endif
