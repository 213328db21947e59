/*
 * co_owners.h: fields of a server-side applier that people or scripts own as well.
 *
 * An edit takes a field from the applier. If the edit is reverted by hand, or the manifest catches up with
 * it, the next apply sets an equal value: the API server then adds the applier as an owner and lets the other
 * one keep the field. From then on a change in the manifest conflicts, and a field that the manifest drops
 * stays.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_CO_OWNERS_H
#define APPLYGUARD_POLICY_ANALYSIS_CO_OWNERS_H

#include "policy/fieldset/fields.h"
#include "policy/review/review.h"
#include "policy/verdict/finding_fields.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a person's or script's entry stays next to the applier's: no tool is known to take it over. */
bool co_owner_stays(
    const struct review *review, const struct managed_fields_entry *entry,
    const struct managed_fields_entry *applier);

struct co_owned {
    struct finding_fields fields;
    struct manager *owners;
    size_t owner_count;
};

/*
 * The fields that the writer came to own by this server-side apply, together with owners that stay. Not at
 * its first apply, which adopts the object. Anything but FIELDS_OK: they could not all be read.
 */
enum fields_result co_owned_find(const struct review *review, struct co_owned *found);

#endif
