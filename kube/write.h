/* write.h: writes and deletes objects, and waits for the answer. */
#ifndef APPLYGUARD_KUBE_WRITE_H
#define APPLYGUARD_KUBE_WRITE_H

#include "kube/client.h"

/*
 * Applies an object server-side. The path has the query, with the field manager; NULL if memory ran out for
 * it. Returns -1 and sets the error.
 */
int kube_apply(struct kube_client *client, const char *path, struct slice object, struct error *error);

/* Deletes an object; one that is gone is deleted. The rest is as in kube_apply. */
int kube_delete(struct kube_client *client, const char *path, struct error *error);

#endif
