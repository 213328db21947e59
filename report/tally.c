#include "report/tally.h"

struct tally_node {
    uint64_t fingerprint;
    size_t count;
    struct tally_node *children[4];
};

/* The place of the node with this fingerprint, or for it. Two bits of the fingerprint choose each branch. */
static struct tally_node **find(struct tally *tally, uint64_t fingerprint)
{
    struct tally_node **node = &tally->root;
    for (uint64_t rest = fingerprint; *node && (*node)->fingerprint != fingerprint; rest <<= 2)
        node = &(*node)->children[rest >> 62];
    return node;
}

/* Returns NULL if memory runs out. */
static struct tally_node *find_or_add(struct tally *tally, uint64_t fingerprint, struct arena *arena)
{
    struct tally_node **place = find(tally, fingerprint);
    struct tally_node *node = *place;
    if (node)
        return node;
    node = arena_allocate_array(arena, 1, sizeof(*node));
    if (node)
        node->fingerprint = fingerprint;
    *place = node;
    return node;
}

size_t tally_add(struct tally *tally, uint64_t fingerprint, struct arena *arena)
{
    struct tally_node *node = find_or_add(tally, fingerprint, arena);
    return node ? ++node->count : 0;
}

bool tally_add_many(struct tally *tally, uint64_t fingerprint, size_t count, struct arena *arena)
{
    struct tally_node *node = find_or_add(tally, fingerprint, arena);
    if (node && __builtin_add_overflow(node->count, count, &node->count))
        node->count = SIZE_MAX;
    return node;
}

bool tally_take(struct tally *tally, uint64_t fingerprint, size_t count)
{
    struct tally_node *node = *find(tally, fingerprint);
    if (!node || node->count < count)
        return false;
    node->count -= count;
    return true;
}
