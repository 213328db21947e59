/*
 * address.h: parses the addresses of --listen and --metrics-listen, and opens listening sockets.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_ADDRESS_H
#define APPLYGUARD_WEBHOOK_SERVER_ADDRESS_H

#include "base/error.h"

#include <stddef.h>

/* Enough for "[v6]:port" with a zone name and a NUL. */
#define ADDRESS_TEXT_BYTES 80

/*
 * Splits HOST:PORT, [v6]:PORT or :PORT; `host` is empty for the last. Returns NULL, or a sentence without a
 * full stop that says what is wrong with it.
 */
const char *address_split(const char *text, char host[256], char port[6]);

/*
 * A non-blocking socket that listens on `text`, or -1 with an error that names `flag`. Without a host it
 * listens on all addresses, IPv6 and IPv4.
 */
int address_listen(const char *flag, const char *text, struct error *error);

/* The address that `socket` is bound to. For port 0 it has the port that the system chose. */
void address_print(int socket, char text[ADDRESS_TEXT_BYTES]);

#endif
