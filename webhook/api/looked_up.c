#include "webhook/api/looked_up.h"

#include <stdlib.h>

struct looked_up *looked_up_create(struct secret *json, atomic_size_t *bytes_held)
{
    struct looked_up *object = calloc(1, sizeof(*object));
    if (!object)
        return NULL;
    atomic_init(&object->holders, 1);
    object->bytes_held = bytes_held;
    object->json = *json;
    *json = (struct secret){0};
    atomic_fetch_add_explicit(bytes_held, object->json.length, memory_order_relaxed);
    return object;
}

struct looked_up *looked_up_hold(struct looked_up *object)
{
    atomic_fetch_add_explicit(&object->holders, 1, memory_order_relaxed);
    return object;
}

void looked_up_release(struct looked_up *object)
{
    if (!object || atomic_fetch_sub_explicit(&object->holders, 1, memory_order_acq_rel) > 1)
        return;
    atomic_fetch_sub_explicit(object->bytes_held, object->json.length, memory_order_relaxed);
    secret_free(&object->json);
    free(object);
}
