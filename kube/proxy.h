/*
 * proxy.h: chooses the proxy for the API server as client-go does (golang.org/x/net/http/httpproxy).
 *
 * libcurl reads the same environment variables, but by other rules. A kubeconfig that works for kubectl must
 * work here.
 */
#ifndef APPLYGUARD_KUBE_PROXY_H
#define APPLYGUARD_KUBE_PROXY_H

#include "kube/config.h"

#include <stdbool.h>

/*
 * The proxy's URL; "" for a direct connection. The config's own proxy takes precedence. Otherwise uses
 * HTTPS_PROXY (HTTP_PROXY for a server without TLS), unless NO_PROXY exempts the server. A variable in upper
 * case takes precedence over lower case.
 */
const char *kube_proxy_of(const struct kube_config *config);

/*
 * Whether libcurl can use the URL as a proxy. "" is valid. libcurl's messages about others contain the whole
 * URL, and so the proxy's password.
 */
bool kube_is_proxy(const char *url);

/*
 * Whether the server, https://HOST:PORT/PATH, is exempt from the environment's proxy. Loopback addresses
 * always are. `no_proxy` is a comma-separated list. Each entry is "*", an address, a range (10.0.0.0/8), a
 * domain with its subdomains (example.com) or only its subdomains (.example.com, *.example.com). All except
 * "*" and ranges may have a port.
 */
bool kube_is_direct(const char *server, const char *no_proxy);

#endif
