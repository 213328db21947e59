/*
 * turns: two servers take turns of some milliseconds, so that a disturbance of the machine disturbs both.
 *
 *   turns CONNECTIONS TURNS MILLISECONDS BODY PORT PID PORT PID
 *
 * Posts the file BODY on that many connections, from one thread as wrk does, and on each again as soon as it
 * is answered. Prints the processor time that a review took of either, in nanoseconds.
 */
#include "post.h"

#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#define CONNECTIONS_MAX 64

/* The first work of each turn, which fills the caches: the caches are still the other's. */
#define SETTLING_NANOSECONDS UINT64_C(2000000)

struct server {
    const char *pid;
    struct connection connections[CONNECTIONS_MAX];
    size_t count; /* of them */
    uint64_t time;
    uint64_t answered;
};

static void open_connections(struct server *server, SSL_CTX *tls, uint16_t port, size_t count)
{
    server->count = count;
    for (size_t i = 0; i < count; i++)
        server->connections[i] = open_connection(tls, port);
}

static void close_connections(struct server *server)
{
    for (size_t i = 0; i < server->count; i++)
        close_connection(&server->connections[i]);
}

/* The CPU time of all its threads. */
static uint64_t processor_time(const struct server *server)
{
    char path[512];
    uint64_t sum = 0;
    snprintf(path, sizeof(path), "/proc/%s/task", server->pid);
    DIR *tasks = opendir(path);
    if (!tasks)
        fail("a server is gone");
    for (const struct dirent *task; (task = readdir(tasks));) {
        unsigned long long time = 0;
        snprintf(path, sizeof(path), "/proc/%s/task/%s/schedstat", server->pid, task->d_name);
        FILE *file = task->d_name[0] == '.' ? NULL : fopen(path, "r");
        if (file && fscanf(file, "%llu", &time) == 1)
            sum += time;
        if (file)
            fclose(file);
    }
    closedir(tasks);
    return sum;
}

/* How many requests were answered. */
static uint64_t post(struct server *server, struct request request, uint64_t nanoseconds)
{
    struct pollfd sockets[CONNECTIONS_MAX];
    uint64_t end = now() + nanoseconds, answered = 0;
    size_t busy = server->count;
    for (size_t i = 0; i < server->count; i++) {
        sockets[i] = (struct pollfd){.fd = server->connections[i].socket, .events = POLLIN};
        ask(&server->connections[i], request);
    }
    while (busy) {
        poll(sockets, server->count, -1);
        for (size_t i = 0; i < server->count; i++) {
            if (!sockets[i].revents)
                continue;
            if (!take_answer(&server->connections[i]))
                fail("a request was refused");
            answered++;
            if (now() < end) {
                ask(&server->connections[i], request);
            } else {
                sockets[i].fd = -1;
                busy--;
            }
        }
    }
    return answered;
}

static void take_turn(struct server *server, struct request request, uint64_t nanoseconds)
{
    post(server, request, SETTLING_NANOSECONDS);
    uint64_t before = processor_time(server);
    server->answered += post(server, request, nanoseconds);
    server->time += processor_time(server) - before;
}

int main(int argc, char **argv)
{
    if (argc != 9)
        fail("usage: turns CONNECTIONS TURNS MILLISECONDS BODY PORT PID PORT PID");
    size_t connections = strtoul(argv[1], NULL, 10);
    unsigned long turns = strtoul(argv[2], NULL, 10);
    uint64_t nanoseconds = strtoul(argv[3], NULL, 10) * 1000000;
    if (!connections || connections > CONNECTIONS_MAX || !turns || !nanoseconds)
        fail("a number is out of range");
    struct request request = read_request(argv[4]);
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
    struct server servers[2] = {{.pid = argv[6]}, {.pid = argv[8]}};
    for (int i = 0; i < 2; i++)
        open_connections(&servers[i], tls, (uint16_t)strtoul(argv[5 + 2 * i], NULL, 10), connections);
    for (unsigned long turn = 0; turn < turns; turn++) {
        take_turn(&servers[turn % 2], request, nanoseconds);
        take_turn(&servers[(turn + 1) % 2], request, nanoseconds);
    }
    printf("%zu %zu\n", servers[0].time / servers[0].answered, servers[1].time / servers[1].answered);
    close_connections(&servers[0]);
    close_connections(&servers[1]);
    SSL_CTX_free(tls);
    return 0;
}
