#include "kube/cleansing.h"

#include <openssl/crypto.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* yyjson does not pass the size of a block that it frees. */
struct block {
    size_t size;
    max_align_t bytes[];
};

static struct block *block_of(void *bytes)
{
    return (struct block *)((char *)bytes - offsetof(struct block, bytes));
}

static void *allocate(void *context, size_t size)
{
    (void)context;
    if (size > SIZE_MAX - sizeof(struct block))
        return NULL;
    struct block *block = OPENSSL_malloc(sizeof(struct block) + size);
    if (!block)
        return NULL;
    block->size = size;
    return block->bytes;
}

static void release(void *context, void *bytes)
{
    (void)context;
    if (!bytes)
        return;
    struct block *block = block_of(bytes);
    OPENSSL_clear_free(block, sizeof(struct block) + block->size);
}

static void *resize(void *context, void *bytes, size_t old_size, size_t size)
{
    void *moved = allocate(context, size);
    if (!moved)
        return NULL;
    memcpy(moved, bytes, old_size < size ? old_size : size);
    release(context, bytes);
    return moved;
}

const yyjson_alc cleansing_allocator = {allocate, resize, release, NULL};
