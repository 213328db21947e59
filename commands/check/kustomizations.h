/*
 * kustomizations.h: the roles of files in the kustomizations of their directories: patches, which are not
 * applied by themselves, files that get labels, and files that are applied together.
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

/* A resource of a kustomization: a file, or another directory. */
struct kustomization_resource {
    struct slice folder; /* of the kustomization; both without . and .. */
    struct slice path;
    bool is_followed;
};

/* The changes that a kustomization makes to its resources. */
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

/* Zero is empty. All memory is in the arena. */
struct kustomizations {
    struct arena *arena;
    struct kustomization_paths folders;       /* to search; as in the given paths, with the last slash */
    struct kustomization_paths roots;         /* folders with a kustomization; sorted */
    struct kustomization_paths patches;       /* without . and ..; sorted */
    struct kustomization_paths contents;      /* files of generated ConfigMaps and Secrets; as patches */
    struct kustomization_paths labelled;      /* files and directories whose selectors get labels; sorted */
    struct kustomization_resources resources; /* sorted by their folders */
    struct kustomization_resources writers;   /* the same, sorted by their paths */
    struct kustomization_changes changes;     /* sorted by their folders */
    struct kustomization_paths taken;         /* the paths of those; sorted */
    bool removes_replicas;                    /* one of them does */
};

/*
 * Adds a file, whose directory may have a kustomization. The path must stay valid. Returns false if memory
 * runs out.
 */
bool kustomizations_look_beside(struct kustomizations *kustomizations, const char *path);

/* Reads the kustomizations that can be read, after all files were added. Returns false if memory runs out. */
bool kustomizations_read(struct kustomizations *kustomizations);

bool kustomizations_have_patch(const struct kustomizations *kustomizations, const char *path);

/* Whether a kustomization puts the file into a ConfigMap or a Secret, and none takes its objects. */
bool kustomizations_have_content(const struct kustomizations *kustomizations, const char *path);

/*
 * The changes that all kustomizations above a file make to its objects. Stops if several kustomizations
 * include the same folder.
 */
struct kustomized kustomizations_change(const struct kustomizations *kustomizations, const char *path);

/* Whether the file lies below a kustomization. */
bool kustomizations_have(const struct kustomizations *kustomizations, const char *path);

/* Whether the file lies below a kustomization, and none takes it. */
bool kustomizations_leave_out(const struct kustomizations *kustomizations, const char *path);

/*
 * Whether a kustomization adds labels to the selectors and pod templates of the file: the one of its
 * directory, or another one that includes it, directly or not.
 */
bool kustomizations_label(const struct kustomizations *kustomizations, const char *path);

/*
 * The folder, a part of `path`, whose manifests are applied together with it: that of the nearest
 * kustomization. A file that lies below no kustomization belongs to its own folder. One that no kustomization
 * takes is applied alone: then all of `path`.
 */
struct slice kustomizations_root_of(const struct kustomizations *kustomizations, const char *path);

#endif
