/*
 * Whatever bytes a connection brings where TLS is awaited: what comes back are whole records of TLS, no more
 * of them than the first flight of a handshake, and nothing that could be HTTP; the log stays printable JSON;
 * and afterwards a client of TLS is served.
 */
#include "fuzz.h"
#include "tests/fuzz/server.h"

#include <openssl/ssl.h>
#include <string.h>
#include <unistd.h>

#define RECORD_HEAD_BYTES 5
#define RECORD_BYTES_MAX (16384 + 256) /* RFC 8446, 5.2 */

/* ServerHello and all that follows it, with a certificate of one kibibyte. */
#define FLIGHT_BYTES_MAX 4096

enum { CHANGE_CIPHER_SPEC = 20, APPLICATION_DATA = 23 };

static void check_records(struct slice bytes)
{
    promise(bytes.length <= FLIGHT_BYTES_MAX, "strangers are sent no more than one flight");
    while (bytes.length) {
        const unsigned char *head = (const unsigned char *)bytes.bytes;
        promise(bytes.length >= RECORD_HEAD_BYTES, "a record has a head");
        promise(head[0] >= CHANGE_CIPHER_SPEC && head[0] <= APPLICATION_DATA, "a record is of a known type");
        promise(head[1] == 3 && head[2] <= 4, "a record is of a version of TLS");
        size_t length = (size_t)head[3] << 8 | head[4];
        promise(length <= RECORD_BYTES_MAX, "a record is no longer than records may be");
        promise(length <= bytes.length - RECORD_HEAD_BYTES, "a record is whole");
        bytes = slice_from(bytes, RECORD_HEAD_BYTES + length);
    }
}

/* libFuzzer's alarm interrupts calls of the system. */
static bool is_interrupted(const SSL *client, int result)
{
    int error = SSL_get_error(client, result);
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

static bool asks(SSL *client, const char *request, int length)
{
    int result;
    do
        result = SSL_connect(client);
    while (result != 1 && is_interrupted(client, result));
    while (result == 1 && (result = SSL_write(client, request, length)) <= 0 &&
           is_interrupted(client, result))
        result = 1;
    return result == length;
}

static bool is_answered(SSL *client, const char *expected, int length)
{
    char answer[32];
    int result;
    do
        result = SSL_read(client, answer, length);
    while (result <= 0 && is_interrupted(client, result));
    return result == length && !memcmp(answer, expected, (size_t)length);
}

static void check_serving(void)
{
    static const char request[] = "GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    static const char expected[] = "HTTP/1.1 200 ";
    int file = exchange_connect(DOOR_TLS);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *client = context ? SSL_new(context) : NULL;
    promise(client && SSL_set_fd(client, file) == 1, "there is memory");
    promise(asks(client, request, sizeof(request) - 1), "the server still takes requests");
    promise(is_answered(client, expected, sizeof(expected) - 1), "the server still serves");
    SSL_free(client);
    SSL_CTX_free(context);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static unsigned count;
    struct exchange exchange = exchange_bytes(DOOR_TLS, (struct slice){(const char *)data, size}, 1);
    check_records((struct slice){exchange.bytes, exchange.length});
    exchange_free(&exchange);
    if (count++ % 64 == 0)
        check_serving();
    return 0;
}
