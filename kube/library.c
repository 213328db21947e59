#include "kube/client.h"

#include <curl/curl.h>
#include <malloc.h>
#include <stdlib.h>

/*
 * libcurl's memory contains tokens, and data from connections contains keys: all of it is overwritten before
 * it is freed. Calls to the API server are rare, so this costs little time.
 */

static void release(void *block)
{
    if (block)
        explicit_bzero(block, malloc_usable_size(block));
    free(block);
}

/* realloc does not overwrite the old block when it moves it. */
static void *resize(void *block, size_t size)
{
    if (!block)
        return malloc(size);
    size_t old = malloc_usable_size(block);
    void *moved = malloc(size);
    if (!moved)
        return NULL;
    memcpy(moved, block, old < size ? old : size);
    release(block);
    return moved;
}

int kube_library_init(struct error *error)
{
    if (curl_global_init_mem(CURL_GLOBAL_DEFAULT, malloc, release, resize, strdup, calloc) == CURLE_OK)
        return 0;
    return error_set(error, "libcurl cannot be initialised");
}
