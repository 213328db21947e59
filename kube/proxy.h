/*
 * proxy.h: which proxy leads to the API server, as client-go has it (golang.org/x/net/http/httpproxy).
 *
 * libcurl reads the same variables of the environment, but not by the same rules: a kubeconfig that works for
 * kubectl works here.
 */
#ifndef APPLYGUARD_KUBE_PROXY_H
#define APPLYGUARD_KUBE_PROXY_H

#include "kube/config.h"

#include <stdbool.h>

/*
 * The proxy's URL; "" where there is none. The config's own is always used. Else it is that of HTTPS_PROXY
 * (HTTP_PROXY for a server without TLS), where NO_PROXY does not take the server out; in upper case, or in
 * lower case where that is not set.
 */
const char *kube_proxy_of(const struct kube_config *config);

/*
 * Whether the server, https://HOST:PORT/PATH, is reached without a proxy of the environment. Loopback always
 * is. Of `no_proxy`, which has commas between its entries, each is "*", an address, a range (10.0.0.0/8), a
 * domain with all below it (example.com) or only what is below it (.example.com, *.example.com); all but "*"
 * and ranges may have a port.
 */
bool kube_is_direct(const char *server, const char *no_proxy);

#endif
