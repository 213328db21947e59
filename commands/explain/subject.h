/* subject.h: which object a tool applied, according to the words before the conflict. */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_SUBJECT_H
#define APPLYGUARD_COMMANDS_EXPLAIN_SUBJECT_H

#include "owners/conflict.h"

/*
 * Reads the end of `before`, the text up to the conflict: Helm's "while applying object NAMESPACE/NAME
 * GROUP/VERSION, Kind=KIND:", Flux's "KIND/NAMESPACE/NAME dry-run failed", Argo CD's
 * "GROUP/KIND/NAMESPACE/NAME:". kubectl and the API server name no object: then `object` stays empty.
 */
void subject_read(struct slice before, struct conflict_object *object, enum conflict_tool *tool);

#endif
