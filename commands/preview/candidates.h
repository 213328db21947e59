/*
 * candidates.h: the objects of the cluster that a tool may prune, if no file has them: the objects of a
 * selector, of an ApplySet, of the inventory of Flux, or of the resources of an Application. Private to
 * preview/.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_CANDIDATES_H
#define APPLYGUARD_COMMANDS_PREVIEW_CANDIDATES_H

#include "commands/preview/prune.h"
#include "commands/preview/run.h"

/*
 * Adds them to `candidates` of the sources, which has the live objects of the manifests already. `prune` says
 * what to look for; sets its `is_off`. Returns -1 and sets the error if the cluster cannot say.
 */
int preview_find_candidates(struct preview_run *run, struct prune *prune, struct error *error);

#endif
