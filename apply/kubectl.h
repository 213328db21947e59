/*
 * kubectl.h: what kubectl apply --server-side does after it has applied (kubectl, pkg/cmd/apply/apply.go,
 * migrateToSSAIfNecessary). Private to preview/.
 */
#ifndef APPLYGUARD_APPLY_KUBECTL_H
#define APPLYGUARD_APPLY_KUBECTL_H

#include "apply/outcome.h"

/*
 * Whether kubectl then takes over the live entry of an Update, as it has the last-applied annotation. What
 * was written in another apiVersion is nobody's afterwards (client-go, util/csaupgrade/upgrade.go).
 */
bool kubectl_takes_over(const struct attempt *attempt, size_t index, struct arena *arena);

/*
 * What the live entry of a client-side apply has left after this apply, and nobody else: kubectl applies
 * again when it has taken the entry over, and that removes it. Leaves alone; empty for any other entry.
 */
const struct field_set *kubectl_left_over(
    const struct attempt *attempt, const struct outcome *outcome, size_t index, struct arena *arena);

#endif
