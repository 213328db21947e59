/*
 * settings.h: everything about the server that can be set, and every limit that cannot, each with its reason.
 *
 * Flags fill the struct; the limits below are the same for everybody, because they follow from how the API
 * server's client behaves and not from where applyguard runs.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_SETTINGS_H
#define APPLYGUARD_WEBHOOK_SERVER_SETTINGS_H

#include "webhook/telemetry/places.h"

#include "issuer/issuer.h"

#include <stddef.h>
#include <stdint.h>

enum log_format { LOG_JSON, LOG_TEXT };

/* API servers share a certificate's name, or have one each; nobody else asks. */
#define CLIENT_NAMES_MAX 16

struct settings {
    const char *policy_path;       /* NULL: the embedded default */
    const char *listen;            /* HOST:PORT, [v6]:PORT or :PORT */
    struct issuer_settings issuer; /* how to make certificates; secret NULL: they come from files */
    const char *kubeconfig_path;   /* NULL: as a pod is given it */
    const char *tls_cert_path;     /* PEM: the certificate, then its chain; NULL with `issuer` */
    const char *tls_key_path;      /* PEM */
    bool looks_up;                 /* scaled objects, so that scales are judged */
    bool records_events;           /* about what is found, of the objects */
    const char *client_ca_path;    /* PEM: who signs the certificates of clients; NULL: anybody may ask */
    const char *client_names[CLIENT_NAMES_MAX]; /* of the clients that may ask */
    size_t client_name_count;
    const char *metrics_listen;         /* as `listen`; empty: no second listener */
    struct place_labels metrics_labels; /* of applyguard_object_…; none: these metrics are not served */
    unsigned metrics_places_max;
    unsigned threads; /* event loops; 0: as many as the processors this process may use */
    size_t max_body_bytes;
    size_t memory_limit; /* 0: that of the container, if there is one */
    unsigned max_connections;
    uint32_t drain_delay_ms;  /* how long to serve on as before after the signal to stop */
    uint32_t grace_period_ms; /* from the signal to the exit, at most */
    enum log_format log_format;
    const char *version; /* of the program */
};

#define DEFAULT_LISTEN "0.0.0.0:8443"
#define DEFAULT_METRICS_LISTEN "127.0.0.1:9090"

/*
 * The API server takes bodies of at most 3 MiB; a review holds the object, the old object and the rest, and
 * what came as protobuf is longer as JSON. The bound keeps what one connection may hold in the tens of MiB.
 */
#define DEFAULT_MAX_BODY_BYTES ((size_t)8 << 20)
#define MAX_BODY_BYTES_LIMIT ((size_t)16 << 20)

/* An API server keeps 25 idle connections and opens more in a burst; this is room for several in a burst at
 * once. */
#define DEFAULT_MAX_CONNECTIONS 1024u
#define MAX_CONNECTIONS_LIMIT 65536u

#define THREADS_LIMIT 256u

/* Enough for a small cluster, and what no Prometheus minds. Each takes up to two KiB. */
#define DEFAULT_METRICS_PLACES 200u
#define METRICS_PLACES_LIMIT 10000u

/*
 * Of a container's memory, an eighth is left to the kernel, which counts what it holds for sockets and files
 * as the container's.
 */
#define MEMORY_OF_CONTAINER(bytes) ((bytes) - (bytes) / 8)
#define LEAST_MEMORY_LIMIT ((uint64_t)1 << 20)
#define MOST_MEMORY_LIMIT ((uint64_t)1 << 50)

/*
 * What the kernel holds for a connection that is not read just now, at most: a loop that comes back to it
 * takes as much at once. It is room for 10 MB/s over a link of 20 ms, and more over shorter ones.
 */
#define RECEIVE_BUFFER_BYTES (256 << 10)

/* Endpoint changes take some seconds to reach every API server; until then they go on sending requests here.
 */
#define DEFAULT_DRAIN_DELAY_MS 10000u

/* Kubernetes' own default of terminationGracePeriodSeconds. */
#define DEFAULT_GRACE_PERIOD_MS 30000u

#define DURATION_LIMIT_MS (24u * 60 * 60 * 1000)

/*
 * The API server's client keeps idle connections for 90 s and does not send a POST again if we closed the
 * connection under it, so an idle connection must live clearly longer here.
 */
#define IDLE_LIMIT_MS 120000u

/* The client's own limit for a TLS handshake; nobody waits for a slower one. */
#define HANDSHAKE_LIMIT_MS 10000u

/* A request's headers are a few hundred bytes: they come at once or something is wrong. */
#define HEADERS_LIMIT_MS 10000u

/*
 * Bodies and answers may take 10 s and then a second for each 512 KiB: 8 MiB take 26 s at most, within the 30
 * s that is the longest timeout a webhook may have.
 */
#define TRANSFER_LIMIT_MS 10000u
#define TRANSFER_BYTES_PER_MS 512u

/* What TLS has left to say on a connection that is done is one packet, but a refused body may be long. */
#define CLOSING_LIMIT_MS 10000u

/*
 * When there is room for no more connections, one that was silent for so long, and never asked anything, goes
 * in favour of the next: or whoever opens them keeps the API server out.
 */
#define SILENT_LIMIT_MS 2000u

/*
 * Requests of one connection in one turn of its loop. Others wait at most for so many of each, however many
 * come in one piece.
 */
#define REQUESTS_OF_A_TURN 8u

/*
 * New connections in one turn. In a burst a turn is long, because all that are there already have something
 * to do in it; with one in each, the last of a hundred would wait for a hundred turns.
 */
#define ACCEPTS_OF_A_TURN 64u

/* How often connections are looked over, so how late a limit may be noticed. */
#define SWEEP_INTERVAL_MS 1000u

/* While draining, an exit that waits for a timer wastes the grace period. */
#define DRAIN_SWEEP_INTERVAL_MS 50u

/* How often the files of policy and certificate are looked at. The kubelet itself takes up to a minute to
 * bring a new ConfigMap or Secret. */
#define RELOAD_INTERVAL_MS 1000u

/* Trouble that lasts is reported at most this often. */
#define REPORT_INTERVAL_MS 60000u

/* How often a certificate that nobody renews is reported, from when it has so little left. */
#define CERTIFICATE_REPORT_INTERVAL_MS ((uint64_t)3600 * 1000)
#define CERTIFICATE_REPORT_SECONDS ((int64_t)7 * 86400)

/*
 * How long connections that were told to close may take to send one more request before idle ones are cut. A
 * client that sends nothing for this long will hardly send at the very moment of the cut.
 */
#define CLOSE_NOTICE_MS 2000u

/* Probes and scrapers only; it has its own loop, so that no load of the other loops reaches it. */
#define METRICS_MAX_CONNECTIONS 64u
#define METRICS_MAX_BODY_BYTES ((size_t)4096)

/*
 * H2O measures its own timeouts on the wall clock, which may be set back or forward. They are far above the
 * limits here, which are kept on the monotonic clock, and only catch what those would miss.
 */
#define H2O_TIMEOUT_MS ((uint64_t)60 * 60 * 1000)

/* Files beside connections: the standard streams, the policy file, libraries' own; and for each loop these.
 */
#define SPARE_FILES 64u
#define FILES_OF_A_LOOP 8u

/* Blocks above this come from mmap and go back to the system when freed, and a heap keeps no more than so
 * much at its end: what reading a body of half a MiB takes and gives back. See memory_configure in server.c.
 */
#define LARGE_BLOCK_BYTES (1 << 20)
#define KEPT_HEAP_BYTES (2 << 20)

/* Fills in all the defaults. */
void settings_default(struct settings *settings);

/*
 * Parses a duration as Go's flags write it: "10s", "500ms", "1m30s", "1.5h", "0". Returns NULL, or a sentence
 * without a full stop that says what is wrong with it.
 */
const char *duration_parse(const char *text, uint32_t *milliseconds);

/* The same of how long a certificate lives, in whole seconds, one at least. */
const char *life_parse(const char *text, int64_t *seconds);

/* Parses a number of bytes as Kubernetes writes it: "268435456", "256Mi", "1G". Returns as above. */
const char *bytes_parse(const char *text, uint64_t least, uint64_t most, uint64_t *bytes);

/* Parses a whole number between `least` and `most`. Returns as above. */
const char *number_parse(const char *text, uint64_t least, uint64_t most, uint64_t *number);

#endif
