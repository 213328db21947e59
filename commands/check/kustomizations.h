/*
 * kustomizations.h: what the kustomizations of directories say of the files there: which are patches, parts
 * of objects that nobody applies as they are, which gain labels, and which files are applied together.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_KUSTOMIZATIONS_H
#define APPLYGUARD_COMMANDS_CHECK_KUSTOMIZATIONS_H

#include "base/arena.h"
#include "base/slice.h"
#include "commands/check/kustomized.h"

#include <stdbool.h>
#include <stddef.h>

struct kustomization_paths {
    struct slice *items;
    size_t count;
    size_t capacity;
};

/* A kustomization takes a file, or all of another folder. */
struct kustomization_resource {
    struct slice folder; /* of the kustomization; both without . and .. */
    struct slice path;
    bool is_followed;
};

/* What a kustomization makes of all that it takes. */
struct kustomization_change {
    struct slice folder; /* without . and .. */
    struct kustomized change;
};

struct kustomization_changes {
    struct kustomization_change *items;
    size_t count;
    size_t capacity;
};

struct kustomization_resources {
    struct kustomization_resource *items;
    size_t count;
    size_t capacity;
};

/* Zero is none. All of it lives in the arena. */
struct kustomizations {
    struct arena *arena;
    struct kustomization_paths folders; /* to look in; as in the paths that were named, with the last slash */
    struct kustomization_paths roots;   /* those of them that have a kustomization; sorted */
    struct kustomization_paths patches; /* without . and ..; sorted */
    struct kustomization_paths labelled;      /* files, and folders, whose selectors gain labels; likewise */
    struct kustomization_resources resources; /* sorted by their folders */
    struct kustomization_resources takers;    /* the same, sorted by their paths */
    struct kustomization_changes changes;     /* sorted by their folders */
    struct kustomization_paths taken;         /* the paths of those; sorted */
};

/* The path in its shortest form, without a look at the disk. NULL if there is no memory. */
const char *kustomize_path(const char *path, struct arena *arena);

/* Names a file, beside which there may be a kustomization. It must stay valid. False if there is no memory.
 */
bool kustomizations_look_beside(struct kustomizations *kustomizations, const char *path);

/* Reads what kustomizations can be read, after all files are named. False if there is no memory. */
bool kustomizations_read(struct kustomizations *kustomizations);

bool kustomizations_have_patch(const struct kustomizations *kustomizations, const char *path);

/* What all kustomizations above a file make of its objects. Stops where several take the same folder. */
struct kustomized kustomizations_change(const struct kustomizations *kustomizations, const char *path);

/* Whether the file lies below a kustomization, and none takes it. */
bool kustomizations_leave_out(const struct kustomizations *kustomizations, const char *path);

/*
 * Whether a kustomization adds labels to the selectors and pod templates of the file: its own one, or one
 * that takes it or its folder, at whatever remove.
 */
bool kustomizations_label(const struct kustomizations *kustomizations, const char *path);

/*
 * The folder, a part of `path`, whose manifests are applied together with it: that of the nearest
 * kustomization. A file that lies below no kustomization belongs to its own folder. One that no kustomization
 * takes is applied alone: then all of `path`.
 */
struct slice kustomizations_root_of(const struct kustomizations *kustomizations, const char *path);

#endif
