/*
 * kubectl.h: what kubectl apply --server-side does after it has applied (kubectl, pkg/cmd/apply/apply.go,
 * migrateToSSAIfNecessary). Private to preview/.
 */
#ifndef APPLYGUARD_PREVIEW_KUBECTL_H
#define APPLYGUARD_PREVIEW_KUBECTL_H

#include "preview/outcome.h"

/* Whether the entry is of a client-side apply, which kubectl hands over to its Apply entry. */
bool kubectl_takes_over(const struct attempt *attempt, const struct owner_entry *entry);

/*
 * What this live entry has left after the apply, and nobody else: kubectl applies again when it has taken the
 * entry over, and that removes it. Leaves alone.
 */
const struct field_set *kubectl_left_over(
    const struct attempt *attempt, const struct outcome *outcome, size_t index, struct arena *arena);

#endif
