/* settings.h: all settings of the server, and its fixed limits, each with its reason. */
#ifndef APPLYGUARD_WEBHOOK_SERVER_SETTINGS_H
#define APPLYGUARD_WEBHOOK_SERVER_SETTINGS_H

#include "issuer/issuer.h"
#include "system/log.h"
#include "webhook/telemetry/label_sets.h"
#include "webhook/tls/tls_settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct settings {
    const char *policy_path;        /* NULL: the embedded default */
    const char *shadow_policy_path; /* NULL: no shadow policy */
    const char *listen;             /* HOST:PORT, [v6]:PORT or :PORT */
    struct issuer_settings issuer;  /* how to make certificates; secret NULL: certificates come from files */
    const char *kubeconfig_path;    /* NULL: the configuration of a pod */
    struct tls_settings tls;
    bool looks_up;              /* looks up scaled objects, so that scales are judged */
    const char *rule_url;       /* where the pages of the rules are, unless the policy says; NULL: nowhere */
    bool records_events;        /* records findings as Events of the objects */
    const char *metrics_listen; /* as `listen`; empty: no second listener */
    struct label_names
        metrics_labels; /* the labels of applyguard_object_…; none: these metrics are not served */
    unsigned metrics_labels_max;
    unsigned threads; /* event loops; 0: as many as processors and memory allow */
    size_t max_body_bytes;
    size_t memory_limit; /* 0: the container's limit, if it has one */
    unsigned max_connections;
    uint32_t drain_delay_ms;  /* how long the server accepts requests as before after the signal to stop */
    uint32_t grace_period_ms; /* from the signal to the exit, at most */
    enum log_format log_format;
    const char *version; /* of the program */
};

#define DEFAULT_LISTEN "0.0.0.0:8443"
#define DEFAULT_METRICS_LISTEN "127.0.0.1:9090"

/*
 * The API server takes bodies of at most 3 MiB; a review holds the object, the old object and more, and an
 * object that came as protobuf is longer as JSON. The limit keeps the memory of one connection in the tens of
 * MiB.
 */
#define DEFAULT_MAX_BODY_BYTES ((size_t)8 << 20)
#define MAX_BODY_BYTES_LIMIT ((size_t)16 << 20)

/*
 * An API server keeps 25 idle connections and opens more in a burst; this has room for several API servers in
 * a burst at once.
 */
#define DEFAULT_MAX_CONNECTIONS 1024u
#define MAX_CONNECTIONS_LIMIT 65536u

#define THREADS_LIMIT 256u

/* Enough for a small cluster, and few enough for any Prometheus. Each takes up to two KiB. */
#define DEFAULT_METRICS_LABELS_MAX 200u
#define METRICS_LABELS_LIMIT 10000u

/*
 * An eighth of a container's memory is left to the kernel. The kernel counts its memory for files and for
 * other sockets as the container's; the sockets of clients at --listen are part of the budget (budget.c).
 */
#define MEMORY_OF_CONTAINER(bytes) ((bytes) - (bytes) / 8)
#define LEAST_MEMORY_LIMIT ((uint64_t)1 << 20)
#define MOST_MEMORY_LIMIT ((uint64_t)1 << 50)

/* Endpoint changes take some seconds to reach every API server; until then they go on sending requests here.
 */
#define DEFAULT_DRAIN_DELAY_MS 10000u

/* Kubernetes' own default of terminationGracePeriodSeconds. */
#define DEFAULT_GRACE_PERIOD_MS 30000u

/*
 * How often the files of policy and certificate are checked. The kubelet itself takes up to a minute to bring
 * a new ConfigMap or Secret.
 */
#define RELOAD_INTERVAL_MS 1000u

/* Probes and scrapers only; it has its own loop, so that no load of the other loops reaches it. */
#define METRICS_MAX_CONNECTIONS 64u
#define METRICS_MAX_BODY_BYTES ((size_t)4096)

/*
 * H2O allows a head of 400 KB, and the kernel holds as much at once. The budget does not cover these
 * connections, so they must take little.
 */
#define METRICS_MAX_INPUT_BYTES ((size_t)64 << 10)
#define METRICS_RECEIVE_BUFFER_BYTES (16 << 10)

/*
 * Files in addition to connections: the standard streams, the policy file and the files of libraries; and the
 * files of each loop.
 */
#define SPARE_FILES 64u
#define FILES_OF_A_LOOP 8u

/*
 * Blocks above this come from mmap and return to the system when they are freed. H2O's buffer for a body of
 * up to 1 MiB is smaller, because new pages for each body would cost more than judging. See
 * server_set_up_memory.
 */
#define LARGE_BLOCK_BYTES ((1 << 20) + (64 << 10))

/* Free memory that a heap keeps: it is enough for a loop to read a few such bodies at once. */
#define KEPT_HEAP_BYTES (6 << 20)

/* Fills in all the defaults. */
void settings_default(struct settings *settings);

/* A flag that has no effect without another one. */
struct idle_flag {
    const char *name;
    const char *lacks;
};

#define IDLE_FLAGS_MAX 7

/* Finds the flags that differ from their defaults and have no effect. Returns their number. */
size_t settings_idle_flags(const struct settings *settings, struct idle_flag flags[IDLE_FLAGS_MAX]);

#endif
