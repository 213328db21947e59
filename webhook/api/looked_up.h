/*
 * looked_up.h: an object that was looked up, as the API server gave it: one copy for all who asked for it, on
 * whatever thread.
 */
#ifndef APPLYGUARD_WEBHOOK_API_LOOKED_UP_H
#define APPLYGUARD_WEBHOOK_API_LOOKED_UP_H

#include "certs/key.h"

#include <stdatomic.h>
#include <stddef.h>

struct looked_up {
    atomic_uint holders;
    atomic_size_t *bytes_held; /* by all objects together */
    struct secret json;
};

/* Takes the JSON over, for one holder. NULL if there is no memory; then it stays the caller's. */
struct looked_up *looked_up_create(struct secret *json, atomic_size_t *bytes_held);

/* One holder more. */
struct looked_up *looked_up_hold(struct looked_up *object);

/* One less; the last cleanses and frees it. Accepts NULL. */
void looked_up_release(struct looked_up *object);

#endif
