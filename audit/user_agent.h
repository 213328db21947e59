/* user_agent.h: the field manager of a request that names none. Private to this component. */
#ifndef APPLYGUARD_AUDIT_USER_AGENT_H
#define APPLYGUARD_AUDIT_USER_AGENT_H

#include "base/arena.h"
#include "base/slice.h"

/* Derived from the user agent as in the API server (apiserver, handlers/create.go: prefixFromUserAgent). */
struct slice audit_manager_of_agent(struct slice agent, struct arena *arena);

#endif
