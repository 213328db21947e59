/*
 * shard.h: a share of all objects, for processes that divide the work.
 */
#ifndef APPLYGUARD_BASE_SHARD_H
#define APPLYGUARD_BASE_SHARD_H

/* An object is in the shard with the index `hash % count`. All zero: there is one shard, with all objects. */
struct shard {
    unsigned index;
    unsigned count;
};

#endif
