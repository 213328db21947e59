/*
 * user_agent.h: the field manager of a request that names none. Private to audit/.
 */
#ifndef APPLYGUARD_AUDIT_USER_AGENT_H
#define APPLYGUARD_AUDIT_USER_AGENT_H

#include "base/arena.h"
#include "base/slice.h"

/* As the API server makes it of the user agent (apiserver, handlers/create.go: prefixFromUserAgent). */
struct slice audit_manager_of_agent(struct slice agent, struct arena *arena);

#endif
