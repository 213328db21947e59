/*
 * service.h: the fields of a Service that the API server sets, keeps or drops in each update, as its type
 * needs them.
 */
#ifndef APPLYGUARD_APPLY_SERVICE_H
#define APPLYGUARD_APPLY_SERVICE_H

#include "apply/merge/value.h"

/* The type of a Service, by its spec. Returns false if the spec is NULL. */
bool service_is_external_name(const struct value *spec);
bool service_is_load_balancer(const struct value *spec);

/* Whether a load balancer checks the health of nodes, because it sends traffic only to nodes with pods. */
bool service_has_health_check(const struct value *spec);

/* The Service after an update of the live one. Returns NULL if memory runs out. */
const struct value *service_update(
    const struct value *service, const struct value *live, struct arena *arena);

#endif
