/*
 * kubectl.h: the steps of kubectl apply --server-side after the apply itself (kubectl,
 * pkg/cmd/apply/apply.go, migrateToSSAIfNecessary). Private to this component.
 */
#ifndef APPLYGUARD_APPLY_KUBECTL_H
#define APPLYGUARD_APPLY_KUBECTL_H

#include "apply/outcome.h"

/*
 * Whether kubectl then takes over the live Update entry, because it owns the last-applied annotation. Fields
 * that the entry wrote in another apiVersion lose their owner (client-go, util/csaupgrade/upgrade.go).
 */
bool kubectl_takes_over(const struct attempt *attempt, size_t index, struct arena *arena);

/*
 * Fields that only the live entry of a client-side apply still owns after this apply: after taking the entry
 * over, kubectl applies again, which removes these fields. Contains only leaves; empty for any other entry.
 */
const struct field_set *kubectl_left_over(
    const struct attempt *attempt, const struct outcome *outcome, size_t index, struct arena *arena);

#endif
