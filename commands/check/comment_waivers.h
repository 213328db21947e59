/* comment_waivers.h: waivers in comments that have no effect. */
#ifndef APPLYGUARD_COMMANDS_CHECK_COMMENT_WAIVERS_H
#define APPLYGUARD_COMMANDS_CHECK_COMMENT_WAIVERS_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/check/judge_object.h"
#include "manifest/document.h"

/* Returns false if the waiver names a rule. Otherwise fills `note` with the problem and its place. */
bool comment_waiver_is_void(const struct manifest_waiver *waiver, struct arena *scratch, struct error *note);

/*
 * Whether the waiver's rule has a finding in its object, but on other lines, which is not waived. Then fills
 * `note`. A waiver without any such finding may be for another policy.
 */
bool comment_waiver_is_misplaced(
    const struct manifest_waiver *waiver, const struct judged_object *judged, struct error *note);

#endif
