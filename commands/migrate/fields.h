/*
 * fields.h: hands single fields over, as Kubernetes describes it for an autoscaler ("Transferring ownership"
 * in its page on server-side apply): the new manager owns them before a manifest drops them, so that no apply
 * removes them. Private to commands/migrate/.
 */
#ifndef APPLYGUARD_COMMANDS_MIGRATE_FIELDS_H
#define APPLYGUARD_COMMANDS_MIGRATE_FIELDS_H

#include "commands/migrate/plan.h"

#include <yyjson.h>

/*
 * The same as plan_make for a request with fields: the entries lose them to the Apply entry of the new
 * manager, which is added behind the others if it is missing: `entries` has room for it. Returns false if
 * memory runs out.
 */
bool fields_plan(struct plan *plan, struct slice api_version, struct arena *arena);

/*
 * The last-applied configuration without the fields that move, so that the next client-side apply does not
 * remove them either. Empty if it does not declare them, or is unreadable, or memory runs out.
 */
struct slice fields_undeclared(const struct plan *plan, struct slice last_applied, struct arena *arena);

#endif
