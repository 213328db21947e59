/*
 * comment_waivers.h: waivers in comments that waive nothing, whatever is found.
 */
#ifndef APPLYGUARD_CHECK_COMMENT_WAIVERS_H
#define APPLYGUARD_CHECK_COMMENT_WAIVERS_H

#include "base/arena.h"
#include "base/error.h"
#include "manifest/document.h"

/* False if the waiver names a rule. Otherwise fills `note` with what is wrong with it, and its place. */
bool comment_waiver_is_void(const struct manifest_waiver *waiver, struct arena *scratch, struct error *note);

#endif
