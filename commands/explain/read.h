/*
 * read.h: reads the messages that tools print when the API server refuses a server-side apply because of
 * other managers' fields.
 *
 * The API server words a conflict in one way (apimachinery, managedfields/internal/conflict.go):
 *
 *     Apply failed with 1 conflict: conflict with "kubectl" with subresource "scale" using apps/v1: .spec.a
 *     Apply failed with 2 conflicts: conflicts with "helm":
 *     - .spec.a
 *     - .spec.b
 *
 * Tools put words around it, and some quote it, as JSON or as Go does. They are found anywhere, any number of
 * times, in time linear in the text. "using" follows the name of an Update alone.
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_READ_H
#define APPLYGUARD_COMMANDS_EXPLAIN_READ_H

#include "base/arena.h"
#include "base/error.h"
#include "owners/conflict.h"

/*
 * Reads all refused applies in the text, each once, even if it was printed several times. The results point
 * into the text or the arena. Returns -1 and sets the error if the text contains none, or memory runs out.
 */
int conflict_read(
    struct slice text, struct arena *arena, struct conflict_reports *reports, struct error *error);

#endif
