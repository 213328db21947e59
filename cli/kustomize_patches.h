/*
 * kustomize_patches.h: files that kustomizations name as patches. They hold parts of objects, which kustomize
 * merges into others, and nobody applies them as they are.
 */
#ifndef APPLYGUARD_CLI_KUSTOMIZE_PATCHES_H
#define APPLYGUARD_CLI_KUSTOMIZE_PATCHES_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>

/* Zero is none. All of it lives in the arena. */
struct kustomize_patches {
    struct arena *arena;
    const char **names; /* without . and .., and sorted by kustomize_patches_sort */
    size_t count;
    size_t capacity;
};

/* Adds the patches of the file, if it is a kustomization that can be read. False if there is no memory. */
bool kustomize_patches_add(struct kustomize_patches *patches, const char *path);

/* Before it is asked for names. */
void kustomize_patches_sort(struct kustomize_patches *patches);

bool kustomize_patches_have(const struct kustomize_patches *patches, const char *path);

#endif
