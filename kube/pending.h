/*
 * pending.h: the calls that are under way on a client. For kube/ alone.
 */
#ifndef APPLYGUARD_KUBE_PENDING_H
#define APPLYGUARD_KUBE_PENDING_H

#include "kube/client_state.h"

/* Breaks off all calls under way: nobody is told. */
void kube_cancel_all(struct kube_client *client);

#endif
