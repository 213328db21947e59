/* cleansing.h: yyjson's memory for JSON that contains keys. */
#ifndef APPLYGUARD_KUBE_CLEANSING_H
#define APPLYGUARD_KUBE_CLEANSING_H

#include <yyjson.h>

/* Overwrites each block before it frees it. Free yyjson's results with this allocator's `free`. */
extern const yyjson_alc cleansing_allocator;

#endif
