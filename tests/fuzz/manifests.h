/*
 * manifests.h: bytes as a stream of manifests.
 */
#ifndef APPLYGUARD_TESTS_FUZZ_MANIFESTS_H
#define APPLYGUARD_TESTS_FUZZ_MANIFESTS_H

#include "fuzz.h"
#include "manifest/manifest.h"

/* Checks each object of the stream, in an arena that is empty. */
static inline void check_manifests(
    const uint8_t *data, size_t size,
    void (*check)(const struct manifest_object *object, struct arena *arena))
{
    static const struct manifest_limits limits = {16 * 1024, 4096, 64 * 1024};
    struct slice whole = {(const char *)data, size};
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &whole, &limits);
    struct arena *arena = arena_create();
    struct manifest_object object;
    struct error error = {0};
    enum manifest_result result;
    promise(reader && arena, "there is memory");
    while ((result = manifest_next(reader, &object, &error)) != MANIFEST_END) {
        if (result == MANIFEST_OBJECT)
            check(&object, arena);
        arena_reset(arena);
    }
    arena_destroy(arena);
    manifest_close(reader);
}

#endif
