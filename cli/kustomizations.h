/*
 * kustomizations.h: what the kustomizations of directories say of the files there: which are patches, parts
 * of objects that nobody applies as they are, and which files are applied together.
 */
#ifndef APPLYGUARD_CLI_KUSTOMIZATIONS_H
#define APPLYGUARD_CLI_KUSTOMIZATIONS_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stddef.h>

struct kustomization_paths {
    struct slice *items;
    size_t count;
    size_t capacity;
};

/* Zero is none. All of it lives in the arena. */
struct kustomizations {
    struct arena *arena;
    struct kustomization_paths folders; /* to look in; as in the paths that were named, with the last slash */
    struct kustomization_paths roots;   /* those of them that have a kustomization; sorted */
    struct kustomization_paths patches; /* without . and ..; sorted */
};

/* Names a file, beside which there may be a kustomization. It must stay valid. False if there is no memory.
 */
bool kustomizations_look_beside(struct kustomizations *kustomizations, const char *path);

/* Reads what kustomizations can be read, after all files are named. False if there is no memory. */
bool kustomizations_read(struct kustomizations *kustomizations);

bool kustomizations_have_patch(const struct kustomizations *kustomizations, const char *path);

/*
 * The folder, a part of `path`, whose manifests are applied together with it: that of the nearest
 * kustomization. Where there are kustomizations nobody applies all directories at once, so a file that none
 * is above belongs to its own folder. Empty where there are none.
 */
struct slice kustomizations_root_of(const struct kustomizations *kustomizations, const char *path);

#endif
