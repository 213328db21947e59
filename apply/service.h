/*
 * service.h: the fields of a Service that the API server keeps or drops in each update, as its type needs
 * them. Private to apply/.
 */
#ifndef APPLYGUARD_APPLY_SERVICE_H
#define APPLYGUARD_APPLY_SERVICE_H

#include "apply/merge/value.h"

/* The Service after an update of the live one. Returns NULL if memory runs out. */
const struct value *service_update(
    const struct value *service, const struct value *live, struct arena *arena);

#endif
