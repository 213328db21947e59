/*
 * looked_up.h: a reference-counted object from the API server, shared by all requests that look it up, on any
 * thread.
 */
#ifndef APPLYGUARD_WEBHOOK_API_LOOKED_UP_H
#define APPLYGUARD_WEBHOOK_API_LOOKED_UP_H

#include "certs/key.h"

#include <stdatomic.h>
#include <stddef.h>

struct looked_up {
    atomic_uint holders;
    atomic_size_t *bytes_held; /* the bytes of all objects together */
    struct secret json;
};

/*
 * Creates an object with one holder that owns the JSON. Returns NULL if memory runs out; then the caller
 * still owns the JSON.
 */
struct looked_up *looked_up_create(struct secret *json, atomic_size_t *bytes_held);

/* Adds a holder. */
struct looked_up *looked_up_hold(struct looked_up *object);

/* Removes a holder. The last one overwrites and frees the object. Accepts NULL. */
void looked_up_release(struct looked_up *object);

#endif
