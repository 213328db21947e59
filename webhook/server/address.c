#include "webhook/server/address.h"

#include "base/values.h"
#include "webhook/http/limits.h"
#include "webhook/server/settings.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

const char *address_split(const char *text, char host[256], char port[6])
{
    const char *colon = strrchr(text, ':');
    if (!colon)
        return "lacks a port; write it like 0.0.0.0:8443, [::1]:8443 or :8443";
    const char *start = text;
    size_t length = (size_t)(colon - text);
    if (*start == '[') {
        if (length < 2 || colon[-1] != ']')
            return "lacks the closing bracket of an IPv6 address";
        start++;
        length -= 2;
    } else if (memchr(start, ':', length)) {
        return "is an IPv6 address without brackets; write it like [::1]:8443";
    }
    uint64_t number;
    if (length > 255 || number_parse(colon + 1, 0, 65535, &number) || strlen(colon + 1) > 5)
        return "has no port between 0 and 65535";
    memcpy(host, start, length);
    host[length] = '\0';
    memcpy(port, colon + 1, strlen(colon + 1) + 1);
    return NULL;
}

/*
 * Accepted connections inherit these options. Answers are sent without delay; a client that does not
 * acknowledge data, or has no room for it, loses its connection after the time that an answer may take.
 */
static void set_for_connections(int socket)
{
    const int on = 1, received = RECEIVE_BUFFER_BYTES, sent = SEND_BUFFER_BYTES;
    unsigned limit = TRANSFER_LIMIT_MS;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &received, sizeof(received));
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &sent, sizeof(sent));
    setsockopt(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, &limit, sizeof(limit));
}

static int listen_on(const struct addrinfo *address)
{
    int type = address->ai_socktype | SOCK_NONBLOCK | SOCK_CLOEXEC;
    int fd = socket(address->ai_family, type, address->ai_protocol);
    if (fd < 0)
        return -1;
    int on = 1, off = 0;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (address->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    set_for_connections(fd);
    if (bind(fd, address->ai_addr, address->ai_addrlen) == 0 && listen(fd, SOMAXCONN) == 0)
        return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

/*
 * Listens on the first address that works. For all addresses, IPv6 comes first: an IPv6 socket accepts IPv4
 * as well.
 */
static int listen_on_any(const struct addrinfo *addresses, int preferred_family)
{
    int fd = -1;
    for (const struct addrinfo *address = addresses; address && fd < 0; address = address->ai_next)
        if (preferred_family == AF_UNSPEC || address->ai_family == preferred_family)
            fd = listen_on(address);
    return fd;
}

int address_listen(const char *flag, const char *text, struct error *error)
{
    char host[256], port[6];
    const char *wrong = address_split(text, host, port);
    if (wrong)
        return error_set(error, "%s %s %s", flag, text, wrong);
    struct addrinfo hints = {.ai_flags = AI_PASSIVE, .ai_socktype = SOCK_STREAM};
    struct addrinfo *addresses;
    int status = getaddrinfo(*host ? host : NULL, port, &hints, &addresses);
    if (status != 0)
        return error_set(
            error, "%s %s: %s; give an address of this machine", flag, text, gai_strerror(status));
    int fd = *host ? -1 : listen_on_any(addresses, AF_INET6);
    if (fd < 0)
        fd = listen_on_any(addresses, AF_UNSPEC);
    int reason = errno;
    freeaddrinfo(addresses);
    if (fd < 0)
        return error_set(
            error, "cannot listen on %s (%s): %s; choose another address or port", text, flag,
            strerror(reason));
    return fd;
}

void address_print(int socket, char text[ADDRESS_TEXT_BYTES])
{
    struct sockaddr_storage address = {0};
    socklen_t length = sizeof(address);
    char host[64], port[6];
    text[0] = '\0';
    if (getsockname(socket, (struct sockaddr *)&address, &length) != 0)
        return;
    if (getnameinfo(
            (struct sockaddr *)&address, length, host, sizeof(host), port, sizeof(port),
            NI_NUMERICHOST | NI_NUMERICSERV) != 0)
        return;
    const char *format = address.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s";
    snprintf(text, ADDRESS_TEXT_BYTES, format, host, port);
}
