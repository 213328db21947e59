/*
 * selection.h: which objects of a cluster a release of Helm, a Kustomization of Flux or an Application of
 * Argo CD has.
 */
#ifndef APPLYGUARD_COMMANDS_MIGRATE_SELECTION_H
#define APPLYGUARD_COMMANDS_MIGRATE_SELECTION_H

#include "base/arena.h"
#include "base/slice.h"
#include "manifest/manifest.h"

#include <stdbool.h>

/* Each may be empty: then all objects meet it. */
struct migrate_selection {
    struct slice labels;    /* a label selector */
    struct slice namespace; /* of the objects that have one, and of the release */
    struct slice release;   /* of Helm */
    struct slice kustomization;
    struct slice application;
};

/* The label selector for a list that has all selected objects. Out of memory: arena_has_failed(). */
struct slice migrate_list_selector(const struct migrate_selection *selection, struct arena *arena);

/*
 * Whether an object of that list is selected, and may be migrated at all: controllers own others, and objects
 * without managedFields have nothing to migrate.
 */
bool migrate_selects(const struct migrate_selection *selection, const struct manifest_object *object);

#endif
