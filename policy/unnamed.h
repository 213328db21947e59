/*
 * unnamed.h: requests that name no field manager, and whose they may be.
 *
 * The API server takes the name from their User-Agent. An update that takes no field leaves no trace even of
 * that: no entry gains a field, and no time changes (apimachinery, managedfieldsupdater.go).
 */
#ifndef APPLYGUARD_POLICY_UNNAMED_H
#define APPLYGUARD_POLICY_UNNAMED_H

#include "policy/managers.h"

#include <stdbool.h>

/*
 * Whether a request that names no field manager may be one of this manager. One that sends no name is known
 * by its User-Agent: kapp, Terraform, client libraries.
 */
bool unnamed_may_be_of(const struct manager *manager);

#endif
