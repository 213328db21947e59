/*
 * message_command.h: commands that resolve a finding.
 *
 * Each gives an empty slice where no command helps: the object has no name yet, or a name is one that a shell
 * would not take as it is. Its bytes are NULL if memory runs out.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_COMMAND_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_COMMAND_H

#include "base/slice.h"
#include "policy/managers.h"
#include "policy/review/review.h"

#include <stddef.h>

/* applyguard blame deployment.apps/web -n default */
struct slice message_command_blame(const struct review *review);

/* kubectl annotate deployment.apps/web -n default kubectl.kubernetes.io/last-applied-configuration- */
struct slice message_command_remove_last_applied(const struct review *review);

/*
 * kubectl set env deployment.apps/web -n default -c nginx LOG-, for the verb "kubectl set env ". Without
 * `container` and `key`, the verb and the object.
 */
struct slice message_command_undo(
    const struct review *review, const char *verb, struct slice container, struct slice key);

/*
 * applyguard migrate deployment.apps/web -n default --from helm --to flux -o command. Empty also where an
 * owner wrote through a subresource: what it owns there stays with it.
 */
struct slice message_command_migrate(
    const struct review *review, const struct manager *from, size_t from_count, const struct manager *to);

/* The same from a client-side apply by kubectl, to its server-side apply. */
struct slice message_command_migrate_kubectl(const struct review *review, const struct manager *from);

/*
 * applyguard migrate deployment.apps/web -n default --fields .spec.replicas --to hand-over-to-autoscaler -o
 * command: from all owners of the field, to a manager that nothing else uses (docs/migrate.md).
 */
struct slice message_command_hand_over(const struct review *review, struct slice field, struct slice to);

#endif
