/* type.h: how the fields of an object merge. Private to this component. */
#ifndef APPLYGUARD_APPLY_TYPE_H
#define APPLYGUARD_APPLY_TYPE_H

#include "apply/live.h"
#include "apply/question.h"

struct found_type {
    struct schema_ref type;
    yyjson_val *openapi; /* of a custom resource; NULL: it has no known schema */
    bool is_custom;      /* its type is not built in */
    bool is_known;       /* false: only the fields of the live object's owners show it */
};

/* `live` may be NULL. Returns -1 and sets the error. */
int type_find(
    const struct apply_question *question, const struct live *live, struct arena *arena,
    struct found_type *found, struct error *error);

#endif
