/*
 * cleansing.h: yyjson's memory for JSON that holds keys.
 */
#ifndef APPLYGUARD_KUBE_CLEANSING_H
#define APPLYGUARD_KUBE_CLEANSING_H

#include <yyjson.h>

/* Overwrites each block before it frees it. Free what yyjson returns with this allocator's `free`. */
extern const yyjson_alc cleansing_allocator;

#endif
