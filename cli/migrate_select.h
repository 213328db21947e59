/* migrate_select.h: the objects of a cluster that `migrate` is to migrate together. */
#ifndef APPLYGUARD_CLI_MIGRATE_SELECT_H
#define APPLYGUARD_CLI_MIGRATE_SELECT_H

#include "base/arena.h"
#include "commands/migrate/selection.h"
#include "kubectl/cluster.h"
#include "manifest/each_object.h"

/*
 * Visits the selected objects of all kinds that the cluster lists. Those outside of namespaces are only
 * selected as a tool's.
 */
void migrate_each_selected(
    struct cluster *cluster, const struct migrate_selection *selection, const struct object_visitor *visitor,
    struct arena *arena);

#endif
