/*
 * playground.h: manifests, changes and reviews that a page of the site asks about.
 *
 * The page runs this code as WebAssembly, so nothing that is pasted leaves it. A question is a JSON object of
 * texts:
 *
 *   policy      a policy file
 *   manifest    manifests, judged as `applyguard check -` judges them
 *   review      or an AdmissionReview, judged as `applyguard review -` judges it
 *   after       or an object as a request leaves it, with `manager` and `operation` (Apply, Update or
 *               ClientSideApply), and `before`, the object as it was, with its `owner` and `owner_operation`
 *               if its managedFields do not say who owns it; judged as `applyguard policy test` judges it
 *
 * The answer is a JSON object:
 *
 *   checked     the lines of `check -o json`, as a list
 *   verdict     the line of `review -o json`
 *   places      of each finding of the verdict {"line","column"} in `after` or the review; 0: unknown
 *   problems    {"of","line","column","message"}: what could not be read. `of` is a member of the question
 */
#ifndef APPLYGUARD_PLAYGROUND_PLAYGROUND_H
#define APPLYGUARD_PLAYGROUND_PLAYGROUND_H

#include "base/arena.h"
#include "base/slice.h"

#include <stdint.h>

/* `now` is in seconds since 1970 UTC. Everything is in the arena. NULL bytes if memory runs out. */
struct slice playground_answer(struct slice question, int64_t now, struct arena *arena);

#endif
