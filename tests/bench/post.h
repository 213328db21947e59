/*
 * post.h: what the clients of the benchmark share: a connection to a server on loopback, and what is asked
 * and answered there. Whatever goes wrong ends the program.
 */
#ifndef APPLYGUARD_TESTS_BENCH_POST_H
#define APPLYGUARD_TESTS_BENCH_POST_H

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Prints it and ends the program with status 1. */
_Noreturn void fail(const char *what);

/* Monotonic nanoseconds. */
uint64_t now(void);

struct connection {
    int socket;
    SSL *ssl;
};

struct connection open_connection(SSL_CTX *tls, uint16_t port);
void close_connection(struct connection *connection);

struct request {
    const char *bytes;
    size_t length;
};

/* A POST of the file, with the head that the API server sends. The bytes stay until the program ends. */
struct request read_request(const char *path);

void ask(struct connection *connection, struct request request);

/* Reads one answer, and returns whether its status is 200. */
bool take_answer(struct connection *connection);

#endif
