#include "post.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BODY_MAX_BYTES ((size_t)1 << 20)
#define HEAD_MAX_BYTES ((size_t)512)

_Noreturn void fail(const char *what)
{
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
    exit(1);
}

uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

struct connection open_connection(SSL_CTX *tls, uint16_t port)
{
    int on = 1;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct connection connection = {socket(AF_INET, SOCK_STREAM, 0), SSL_new(tls)};
    if (connect(connection.socket, (struct sockaddr *)&address, sizeof(address)) != 0)
        fail("no connection");
    setsockopt(connection.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    SSL_set_fd(connection.ssl, connection.socket);
    if (SSL_connect(connection.ssl) != 1)
        fail("no handshake");
    return connection;
}

void close_connection(struct connection *connection)
{
    SSL_free(connection->ssl);
    close(connection->socket);
}

struct request read_request(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *body = malloc(BODY_MAX_BYTES);
    size_t length = file && body ? fread(body, 1, BODY_MAX_BYTES, file) : 0;
    char *request = malloc(length + HEAD_MAX_BYTES);
    if (!length || !request)
        fail("the body could not be read");
    int head = snprintf(
        request, HEAD_MAX_BYTES,
        "POST /validate?timeout=10s HTTP/1.1\r\nHost: applyguard.applyguard.svc:443\r\n"
        "User-Agent: kube-apiserver-admission\r\n"
        "Content-Length: %zu\r\nAccept: application/json, */*\r\nContent-Type: application/json\r\n"
        "Accept-Encoding: gzip\r\n\r\n",
        length);
    memcpy(request + head, body, length);
    fclose(file);
    free(body);
    return (struct request){request, (size_t)head + length};
}

void ask(struct connection *connection, struct request request)
{
    if (SSL_write(connection->ssl, request.bytes, (int)request.length) != (int)request.length)
        fail("the request could not be sent");
}

/* How long the answer is, its head included; 0 while that is not known. */
static size_t answer_length(const char *answer)
{
    const char *body = strstr(answer, "\r\n\r\n"), *length = strcasestr(answer, "\r\nContent-Length:");
    if (!body || !length || length > body)
        return 0;
    return (size_t)(body + 4 - answer) + strtoul(strchr(length, ':') + 1, NULL, 10);
}

bool take_answer(struct connection *connection)
{
    char answer[16384];
    size_t length = 0, whole = 0;
    while (!whole || length < whole) {
        int read = SSL_read(connection->ssl, answer + length, (int)(sizeof(answer) - 1 - length));
        if (read <= 0)
            fail("the answer ended early");
        length += (size_t)read;
        answer[length] = '\0';
        whole = whole ? whole : answer_length(answer);
    }
    return strncmp(answer, "HTTP/1.1 200 ", 13) == 0;
}
