/*
 * kubectl.h: the user's own kubectl as the access to a cluster.
 *
 * kubectl uses every context, credential, exec plugin, proxy and impersonation that its user has set up. Each
 * question runs kubectl once, without a shell.
 */
#ifndef APPLYGUARD_KUBECTL_KUBECTL_H
#define APPLYGUARD_KUBECTL_KUBECTL_H

#include "kubectl/cluster.h"
#include "system/child.h"

struct kubectl_options {
    const struct slice *flags; /* for the connection, such as --context=shop, each with a NUL behind it */
    size_t flag_count;
    const char *namespace; /* from -n; NULL: the context's */
    child_say *say;        /* gets kubectl's messages for questions that it answers */
    void *context;
};

/* Sets the error to the reason that kubectl printed for its failure, or else to its exit status. Returns -1.
 */
int kubectl_failed(const struct child_result *result, struct error *error);

/* Copies the options, except for the namespace. Returns NULL if memory runs out. */
struct cluster *kubectl_open(const struct kubectl_options *options);

#endif
