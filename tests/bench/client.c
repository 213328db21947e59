/*
 * client: what wrk cannot do. It asks at a rate that does not wait for answers, or on a new connection each
 * time, and every thread has one connection.
 *
 *   client requests PORT THREADS SECONDS BODY RATE    posts the file BODY, RATE times a second
 *   client handshakes PORT THREADS SECONDS            connects, asks for an unknown path, and begins again
 *
 * Prints how many answers there were, and of requests the microseconds which half, 99 % and 99.9 % of them
 * took at most, counted from when each was due: an answer that is late makes those behind it late, and all of
 * that counts.
 */
#include "post.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define THREADS_MAX 64

static const char nothing[] = "GET / HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n";

struct load {
    SSL_CTX *tls;
    uint16_t port;
    struct request request; /* bytes NULL: handshakes */
    uint64_t begin;         /* monotonic nanoseconds, as all times */
    uint64_t end;
    uint64_t interval;
    uint64_t count; /* of requests that become due before the end */
    atomic_uint_fast64_t next;
    atomic_uint_fast64_t answered;
    uint64_t *latencies; /* one for each request */
};

static void sleep_until(uint64_t due)
{
    struct timespec time = {.tv_sec = (time_t)(due / 1000000000), .tv_nsec = (long)(due % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) != 0)
        ;
}

static void send_requests(struct load *load)
{
    struct connection connection = open_connection(load->tls, load->port);
    uint64_t number;
    while ((number = atomic_fetch_add(&load->next, 1)) < load->count) {
        uint64_t due = load->begin + number * load->interval;
        sleep_until(due);
        ask(&connection, load->request);
        if (!take_answer(&connection))
            fail("a request was refused");
        load->latencies[number] = now() - due;
        atomic_fetch_add(&load->answered, 1);
    }
    close_connection(&connection);
}

static void make_handshakes(struct load *load)
{
    while (now() < load->end) {
        struct connection connection = open_connection(load->tls, load->port);
        ask(&connection, (struct request){nothing, sizeof(nothing) - 1});
        take_answer(&connection);
        close_connection(&connection);
        atomic_fetch_add(&load->answered, 1);
    }
}

static void *run(void *data)
{
    struct load *load = data;
    prctl(PR_SET_TIMERSLACK, 1ul);
    if (load->request.bytes)
        send_requests(load);
    else
        make_handshakes(load);
    return NULL;
}

static int compare(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void print(const struct load *load)
{
    printf("%zu", (size_t)load->answered);
    if (load->request.bytes) {
        qsort(load->latencies, load->count, sizeof(*load->latencies), compare);
        for (uint64_t thousandth = 500; thousandth <= 999; thousandth += thousandth == 500 ? 490 : 9)
            printf(" %zu", (size_t)load->latencies[load->count * thousandth / 1000] / 1000);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    bool sends = argc == 7 && strcmp(argv[1], "requests") == 0;
    if (!sends && (argc != 5 || strcmp(argv[1], "handshakes") != 0))
        fail("usage: client requests PORT THREADS SECONDS BODY RATE | handshakes PORT THREADS SECONDS");
    unsigned long threads = strtoul(argv[3], NULL, 10), seconds = strtoul(argv[4], NULL, 10);
    unsigned long rate = sends ? strtoul(argv[6], NULL, 10) : 1;
    struct load load = {
        .tls = SSL_CTX_new(TLS_client_method()), .port = (uint16_t)strtoul(argv[2], NULL, 10)};
    if (!threads || threads > THREADS_MAX || !seconds || !rate)
        fail("a number is out of range");
    load.count = rate * seconds;
    load.interval = 1000000000 / rate;
    load.latencies = calloc(load.count, sizeof(*load.latencies));
    if (sends)
        load.request = read_request(argv[5]);
    load.begin = now() + 100000000; /* when all have their connections */
    load.end = load.begin + seconds * 1000000000;
    pthread_t running[THREADS_MAX];
    for (unsigned long i = 0; i < threads; i++)
        if (pthread_create(&running[i], NULL, run, &load) != 0)
            fail("no thread");
    for (unsigned long i = 0; i < threads; i++)
        pthread_join(running[i], NULL);
    print(&load);
    SSL_CTX_free(load.tls);
    return 0;
}
