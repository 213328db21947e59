/*
 * kubectl.h: the user's own kubectl as the way to a cluster.
 *
 * kubectl has every context, credential, exec plugin, proxy and impersonation that its user has set up. Each
 * question runs it once, without a shell.
 */
#ifndef APPLYGUARD_KUBECTL_KUBECTL_H
#define APPLYGUARD_KUBECTL_KUBECTL_H

#include "kubectl/cluster.h"
#include "system/child.h"

struct kubectl_options {
    const struct slice *flags; /* of the connection, such as --context=shop, each with a NUL behind it */
    size_t flag_count;
    const char *namespace; /* of -n; NULL: that of the context */
    child_say *say;        /* gets what kubectl says of a question that it answers */
    void *context;
};

/* Copies the options, but for the namespace. NULL if there is no memory. */
struct cluster *kubectl_open(const struct kubectl_options *options);

#endif
