/*
 * comment_waivers.h: waivers in comments that waive nothing.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_COMMENT_WAIVERS_H
#define APPLYGUARD_COMMANDS_CHECK_COMMENT_WAIVERS_H

#include "base/arena.h"
#include "base/error.h"
#include "commands/check/judge_object.h"
#include "manifest/document.h"

/* False if the waiver names a rule. Otherwise fills `note` with what is wrong with it, and its place. */
bool comment_waiver_is_void(const struct manifest_waiver *waiver, struct arena *scratch, struct error *note);

/*
 * Whether the waiver is of a rule that finds something in its object, but in other lines, and that is not
 * waived. Then fills `note`. A waiver of what is found nowhere may be for another policy.
 */
bool comment_waiver_is_misplaced(
    const struct manifest_waiver *waiver, const struct judged_object *judged, struct error *note);

#endif
