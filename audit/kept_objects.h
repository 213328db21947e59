/*
 * kept_objects.h: objects by their keys, with limited memory: the least recently kept are forgotten. Private
 * to this component.
 */
#ifndef APPLYGUARD_AUDIT_KEPT_OBJECTS_H
#define APPLYGUARD_AUDIT_KEPT_OBJECTS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KEPT_BUCKETS ((size_t)1 << 16)

/* A bit set of forgotten objects: many times as many bits as a cluster has objects. */
#define KEPT_FORGOTTEN_BITS ((size_t)1 << 23)

/* The number of users that are remembered for each object. */
#define KEPT_SEERS_MAX 4

/* The number of replaced objects that are remembered: more than the writes that overlap one request. */
#define KEPT_REPLACED_MAX ((size_t)32)

/* Times of the API server, to compare. */
#define KEPT_TIME_BYTES 32

/* When a user last read or wrote an object. */
struct kept_seer {
    uint64_t user; /* a hash */
    char time[KEPT_TIME_BYTES];
};

struct kept_key {
    struct slice text;
    uint64_t hash; /* kept_hash of the text */
};

/* An object, in one block of memory with its texts. */
struct kept_object {
    struct kept_object *next;          /* the next one in the bucket */
    struct kept_object *newer, *older; /* the order in which they were kept */
    struct kept_key key;
    size_t bytes; /* of the block */

    struct slice uid;
    struct slice api_version;
    struct slice json;
    struct slice former; /* the object before its spec was last changed; empty: unknown */
    uint64_t version;
    uint64_t generation;           /* 0: unknown */
    uint64_t removals;             /* how many objects had been deleted before */
    unsigned doubts;               /* above 0: the log lacked a write to the object not long ago */
    bool is_stale;                 /* a later write exists whose object is unknown */
    bool is_scaled;                /* all such writes were scales */
    bool is_missed;                /* the log does not have one of them */
    bool is_read;                  /* it was read: the write that made it may come later in the log */
    char changed[KEPT_TIME_BYTES]; /* the time of the last change of its spec */
    char left[KEPT_TIME_BYTES];    /* when the request ended that left or showed this object */
    struct kept_seer seers[KEPT_SEERS_MAX]; /* the latest one first */
};

struct kept_objects {
    struct kept_object *buckets[KEPT_BUCKETS];
    struct kept_object *newest, *oldest;
    size_t bytes, bytes_max;
    struct kept_object *replaced[KEPT_REPLACED_MAX]; /* a ring: the next one takes the place of the oldest */
    size_t replaced_next;
    uint8_t forgotten[KEPT_FORGOTTEN_BITS / 8];
};

/* Copies a time; of a longer one the beginning. */
void kept_time_copy(char bytes[KEPT_TIME_BYTES], struct slice time);

struct slice kept_time(const char bytes[KEPT_TIME_BYTES]);

/* Frees all objects. */
void kept_objects_release(struct kept_objects *objects);

/* The hash is the same in every run, because results must not depend on the run. */
uint64_t kept_hash(struct slice text);

/* Returns NULL if the object is not kept. */
struct kept_object *kept_objects_find(const struct kept_objects *objects, const struct kept_key *key);

/* Whether an object with this key was forgotten; by chance, another one with the same bit. */
bool kept_objects_has_forgotten(const struct kept_objects *objects, const struct kept_key *key);

/* Makes an object that has copies of these texts. Returns NULL if memory runs out. */
struct kept_object *kept_object_make(
    const struct kept_key *key, struct slice uid, struct slice api_version, struct slice json,
    struct slice former);

/*
 * Keeps an object in place of the one with its key, and owns it then. Forgets others to make room for it. The
 * one in whose place it comes is remembered as a replaced object.
 */
void kept_objects_put(struct kept_objects *objects, struct kept_object *object);

/*
 * Remembers an object that has a successor already, for a short time, and owns it then: requests that overlap
 * may end in another order than that of their writes. Large objects are not remembered.
 */
void kept_objects_put_replaced(struct kept_objects *objects, struct kept_object *object);

/* The replaced object with the latest of the versions up to a limit. Returns NULL if none is remembered. */
struct kept_object *kept_objects_find_replaced(
    const struct kept_objects *objects, const struct kept_key *key, struct slice uid, uint64_t version_max);

/* Frees an object that is gone. */
void kept_objects_drop(struct kept_objects *objects, struct kept_object *object);

#endif
