/*
 * upgrade.h: what an upgrade by Helm takes from other managers, if it sends the manifest that it sent before.
 */
#ifndef APPLYGUARD_APPLY_UPGRADE_H
#define APPLYGUARD_APPLY_UPGRADE_H

#include "apply/question.h"
#include "policy/managers.h"

/* A field of another manager that the upgrade would change. */
struct upgrade_loss {
    struct slice path; /* printable, in the API server's form */
    struct manager manager;
};

struct upgrade {
    const struct upgrade_loss *losses;
    size_t count;
};

/*
 * Finds the losses: server-side the API server refuses them with a conflict, client-side Helm sets them back
 * silently. The question's manifest is that of the deployed revision, its live object must exist. Returns 0;
 * 1 if it cannot be decided, as for a custom resource whose schema is unknown, or -1 and sets the error if
 * memory runs out.
 */
int upgrade_find(
    const struct apply_question *question, struct arena *arena, struct upgrade *upgrade, struct error *error);

#endif
