/*
 * applyguard serve: the webhook.
 */
#include "cli/commands.h"
#include "cli/serve_certs.h"
#include "webhook/server.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum serve_flag {
    FLAG_POLICY = 256, /* above all characters: there are no short forms */
    FLAG_LISTEN,
    FLAG_TLS_CERT,
    FLAG_TLS_KEY,
    FLAG_CERTS_SECRET,
    FLAG_CERTS_CONFIGURATION,
    FLAG_CERTS_SERVICE,
    FLAG_CERTS_DNS,
    FLAG_CERTS_IP,
    FLAG_CERTS_KEY,
    FLAG_CERTS_CA_LIFE,
    FLAG_CERTS_LEAF_LIFE,
    FLAG_CERTS_SOAK,
    FLAG_LOOKUP,
    FLAG_EVENTS,
    FLAG_KUBECONFIG,
    FLAG_CLIENT_CA,
    FLAG_CLIENT_NAME,
    FLAG_METRICS_LISTEN,
    FLAG_METRICS_LABELS,
    FLAG_METRICS_LABELS_MAX,
    FLAG_THREADS,
    FLAG_MAX_BODY_BYTES,
    FLAG_MAX_CONNECTIONS,
    FLAG_MEMORY_LIMIT,
    FLAG_DRAIN_DELAY,
    FLAG_GRACE_PERIOD,
    FLAG_LOG_FORMAT,
    FLAG_HELP,
};

struct flag_help {
    const char *value; /* what the flag takes; NULL: nothing */
    const char *text;
};

static const struct option flags[] = {
    {"policy", required_argument, NULL, FLAG_POLICY},
    {"listen", required_argument, NULL, FLAG_LISTEN},
    {"tls-cert", required_argument, NULL, FLAG_TLS_CERT},
    {"tls-key", required_argument, NULL, FLAG_TLS_KEY},
    {"certs-secret", required_argument, NULL, FLAG_CERTS_SECRET},
    {"certs-configuration", required_argument, NULL, FLAG_CERTS_CONFIGURATION},
    {"certs-service", required_argument, NULL, FLAG_CERTS_SERVICE},
    {"certs-dns", required_argument, NULL, FLAG_CERTS_DNS},
    {"certs-ip", required_argument, NULL, FLAG_CERTS_IP},
    {"certs-key", required_argument, NULL, FLAG_CERTS_KEY},
    {"certs-ca-life", required_argument, NULL, FLAG_CERTS_CA_LIFE},
    {"certs-leaf-life", required_argument, NULL, FLAG_CERTS_LEAF_LIFE},
    {"certs-soak", required_argument, NULL, FLAG_CERTS_SOAK},
    {"lookup", no_argument, NULL, FLAG_LOOKUP},
    {"events", no_argument, NULL, FLAG_EVENTS},
    {"kubeconfig", required_argument, NULL, FLAG_KUBECONFIG},
    {"client-ca", required_argument, NULL, FLAG_CLIENT_CA},
    {"client-name", required_argument, NULL, FLAG_CLIENT_NAME},
    {"metrics-listen", required_argument, NULL, FLAG_METRICS_LISTEN},
    {"metrics-labels", required_argument, NULL, FLAG_METRICS_LABELS},
    {"metrics-labels-max", required_argument, NULL, FLAG_METRICS_LABELS_MAX},
    {"threads", required_argument, NULL, FLAG_THREADS},
    {"max-body-bytes", required_argument, NULL, FLAG_MAX_BODY_BYTES},
    {"max-connections", required_argument, NULL, FLAG_MAX_CONNECTIONS},
    {"memory-limit", required_argument, NULL, FLAG_MEMORY_LIMIT},
    {"drain-delay", required_argument, NULL, FLAG_DRAIN_DELAY},
    {"grace-period", required_argument, NULL, FLAG_GRACE_PERIOD},
    {"log-format", required_argument, NULL, FLAG_LOG_FORMAT},
    {"help", no_argument, NULL, FLAG_HELP},
    {NULL, 0, NULL, 0},
};

/* By flag - FLAG_POLICY. */
static const struct flag_help helps[] = {
    {"FILE", "the policy file; without it the built-in policy (profile baseline)"},
    {"ADDRESS", "HOST:PORT, [IPV6]:PORT or :PORT to serve HTTPS on (default 0.0.0.0:8443)"},
    {"FILE", "PEM file with the certificate and its chain"},
    {"FILE", "PEM file with the certificate's private key"},
    {"NAME",
     "instead of both: keep an authority in this Secret, NAMESPACE/NAME, and sign certificates with it"},
    {"NAME", "ValidatingWebhookConfiguration to give that authority as caBundle; several are fine"},
    {"NAME", "the Service in the Secret's namespace by which the API server calls"},
    {"NAME", "a further DNS name for the certificate; several are fine"},
    {"ADDRESS", "an IP address for the certificate; several are fine"},
    {"KIND", "ec (P-256) or rsa (2048 bits) (default ec)"},
    {"DURATION", "life of the authority (default 8760h)"},
    {"DURATION", "life of a certificate (default 168h)"},
    {"DURATION", "from publishing an authority until it signs (default 10m)"},
    {NULL, "judge scales, by the scaled object that it gets from the API server (default: allow them)"},
    {NULL, "record findings as Events of the objects, through the API server (default: do not)"},
    {"FILE", "how to reach the API server (default: as a pod is given it)"},
    {"FILE", "PEM file with the authorities of clients: only with a certificate may one ask"},
    {"NAME", "common or DNS name of a client that may ask, with --client-ca; several are fine"},
    {"ADDRESS",
     "where to serve /healthz, /readyz and /metrics as plain HTTP; \"\" for nowhere (default "
     "127.0.0.1:9090)"},
    {"LABELS", "count reviews and findings by kind, namespace or kind,namespace too (default: by neither)"},
    {"N", "kinds and namespaces to tell apart, at most 10000; the rest is \"other\" (default 200)"},
    {"N", "event loops (default: the processors this process may use)"},
    {"N", "largest review to read; at most 16777216 (default 8388608)"},
    {"N", "connections at a time (default 1024)"},
    {"BYTES",
     "memory to keep to, like 256Mi: large reviews beyond it have to try again (default 7/8 of the "
     "container's)"},
    {"DURATION", "on SIGTERM, serve on this long while not ready (default 10s)"},
    {"DURATION", "from SIGTERM to the exit, at most (default 30s)"},
    {"FORMAT", "json or text (default: text on a terminal, else json)"},
    {NULL, "print this"},
};

static void print_help(void)
{
    puts("Usage: applyguard serve --tls-cert FILE --tls-key FILE [FLAG...]\n"
         "       applyguard serve --certs-secret NAMESPACE/NAME --certs-service NAME [FLAG...]\n"
         "\n"
         "Serves the validating admission webhook: POST /validate, /validate/warn, /validate/audit.\n"
         "SIGHUP, or a change of their files, reloads policy and certificates; SIGTERM drains and exits.\n"
         "\n"
         "Flags:");
    for (size_t i = 0; flags[i].name; i++) {
        char left[40];
        const struct flag_help *help = &helps[flags[i].val - FLAG_POLICY];
        snprintf(left, sizeof(left), "--%s %s", flags[i].name, help->value ? help->value : "");
        printf("  %-26s %s\n", left, help->text);
    }
}

/* Each returns NULL, or what is wrong with the value. */

static const char *set_count(const char *value, unsigned most, unsigned *count)
{
    uint64_t number;
    const char *wrong = number_parse(value, 1, most, &number);
    if (!wrong)
        *count = (unsigned)number;
    return wrong;
}

static const char *set_bytes(const char *value, size_t *bytes)
{
    uint64_t number;
    const char *wrong = number_parse(value, 1, MAX_BODY_BYTES_LIMIT, &number);
    if (!wrong)
        *bytes = (size_t)number;
    return wrong;
}

static const char *set_memory_limit(const char *value, size_t *bytes)
{
    uint64_t number;
    const char *wrong = bytes_parse(value, LEAST_MEMORY_LIMIT, MOST_MEMORY_LIMIT, &number);
    if (!wrong)
        *bytes = (size_t)number;
    return wrong;
}

static const char *set_log_format(const char *value, enum log_format *format)
{
    if (strcmp(value, "json") == 0)
        *format = LOG_JSON;
    else if (strcmp(value, "text") == 0)
        *format = LOG_TEXT;
    else
        return "is neither json nor text";
    return NULL;
}

static const char *set_labels(const char *value, struct place_labels *labels)
{
    bool both = strcmp(value, "kind,namespace") == 0 || strcmp(value, "namespace,kind") == 0;
    *labels = (struct place_labels){
        .kind = both || strcmp(value, "kind") == 0,
        .namespace = both || strcmp(value, "namespace") == 0,
    };
    return labels->kind || labels->namespace || !*value ? NULL : "is not kind, namespace or kind,namespace";
}

static const char *set_key_kind(const char *value, enum key_kind *kind)
{
    if (strcmp(value, "ec") == 0)
        *kind = KEY_EC_P256;
    else if (strcmp(value, "rsa") == 0)
        *kind = KEY_RSA_2048;
    else
        return "is neither ec nor rsa";
    return NULL;
}

static const char *set_string(const char *value, const char **string)
{
    *string = value;
    return NULL;
}

static const char *set_true(bool *flag)
{
    *flag = true;
    return NULL;
}

static const char *add_client_name(const char *value, struct settings *settings)
{
    if (!*value)
        return "is empty";
    if (settings->client_name_count == CLIENT_NAMES_MAX)
        return "is one name too many";
    settings->client_names[settings->client_name_count++] = value;
    return NULL;
}

static const char *set_flag(int flag, const char *value, struct settings *settings, struct serve_certs *certs)
{
    switch (flag) {
    case FLAG_POLICY:
        return set_string(value, &settings->policy_path);
    case FLAG_LISTEN:
        return set_string(value, &settings->listen);
    case FLAG_TLS_CERT:
        return set_string(value, &settings->tls_cert_path);
    case FLAG_TLS_KEY:
        return set_string(value, &settings->tls_key_path);
    case FLAG_CERTS_SECRET:
        return set_string(value, &certs->secret);
    case FLAG_CERTS_CONFIGURATION:
        return serve_certs_add_configuration(certs, value);
    case FLAG_CERTS_SERVICE:
        return set_string(value, &certs->service);
    case FLAG_CERTS_DNS:
        return serve_certs_add_dns(certs, value);
    case FLAG_CERTS_IP:
        return serve_certs_add_ip(certs, value);
    case FLAG_CERTS_KEY:
        return set_key_kind(value, &settings->issuer.key_kind);
    case FLAG_CERTS_CA_LIFE:
        return life_parse(value, &settings->issuer.authority_seconds);
    case FLAG_CERTS_LEAF_LIFE:
        return life_parse(value, &settings->issuer.leaf_seconds);
    case FLAG_CERTS_SOAK:
        return life_parse(value, &settings->issuer.soak_seconds);
    case FLAG_LOOKUP:
        return set_true(&settings->looks_up);
    case FLAG_EVENTS:
        return set_true(&settings->records_events);
    case FLAG_KUBECONFIG:
        return set_string(value, &settings->kubeconfig_path);
    case FLAG_CLIENT_CA:
        return set_string(value, &settings->client_ca_path);
    case FLAG_CLIENT_NAME:
        return add_client_name(value, settings);
    case FLAG_METRICS_LISTEN:
        return set_string(value, &settings->metrics_listen);
    case FLAG_METRICS_LABELS:
        return set_labels(value, &settings->metrics_labels);
    case FLAG_METRICS_LABELS_MAX:
        return set_count(value, METRICS_PLACES_LIMIT, &settings->metrics_places_max);
    case FLAG_THREADS:
        return set_count(value, THREADS_LIMIT, &settings->threads);
    case FLAG_MAX_BODY_BYTES:
        return set_bytes(value, &settings->max_body_bytes);
    case FLAG_MAX_CONNECTIONS:
        return set_count(value, MAX_CONNECTIONS_LIMIT, &settings->max_connections);
    case FLAG_MEMORY_LIMIT:
        return set_memory_limit(value, &settings->memory_limit);
    case FLAG_DRAIN_DELAY:
        return duration_parse(value, &settings->drain_delay_ms);
    case FLAG_GRACE_PERIOD:
        return duration_parse(value, &settings->grace_period_ms);
    case FLAG_LOG_FORMAT:
        return set_log_format(value, &settings->log_format);
    }
    return "is not a flag of serve";
}

static int usage_error(const char *subject, const char *problem)
{
    fprintf(stderr, "applyguard serve: %s %s; see applyguard serve --help\n", subject, problem);
    return 2;
}

static int bad_value(int index, const char *value, const char *wrong)
{
    fprintf(
        stderr, "applyguard serve: --%s %s %s; see applyguard serve --help\n", flags[index].name, value,
        wrong);
    return 2;
}

static int check(int argc, char **argv, struct settings *settings, struct serve_certs *certs)
{
    const char *flag;
    if (optind < argc)
        return usage_error(argv[optind], "is not a flag");
    const char *wrong = serve_certs_finish(certs, settings, &flag);
    if (wrong)
        return usage_error(flag, wrong);
    /* The authority alone is mostly the cluster's, which also signs for every kubelet. */
    if (!settings->client_ca_path != !settings->client_name_count)
        return usage_error(
            settings->client_ca_path ? "--client-name" : "--client-ca",
            "is missing: --client-ca says who signs for clients, --client-name which of them may ask");
    return 0;
}

/* 0: go on; else the exit status plus one. */
static int parse_flags(int argc, char **argv, struct settings *settings, struct serve_certs *certs)
{
    int flag, index = 0;
    opterr = 0;
    optind = 1;
    while ((flag = getopt_long(argc, argv, "+:", flags, &index)) != -1) {
        if (flag == FLAG_HELP) {
            print_help();
            return 1;
        }
        if (flag == '?' || flag == ':')
            return 1 +
                usage_error(argv[optind - 1], flag == '?' ? "is not a flag of serve" : "lacks its value");
        const char *wrong = set_flag(flag, optarg, settings, certs);
        if (wrong)
            return 1 + bad_value(index, optarg, wrong);
    }
    int status = check(argc, argv, settings, certs);
    return status ? 1 + status : 0;
}

int command_serve(int argc, char **argv)
{
    struct settings settings;
    struct error error = {0};
    settings_default(&settings);
    settings.version = APPLYGUARD_VERSION;
    struct serve_certs certs = {.issuer = &settings.issuer};
    int stop = parse_flags(argc, argv, &settings, &certs);
    int status = stop ? stop - 1 : 0;
    if (!stop && server_run(&settings, &error) != 0) {
        fprintf(stderr, "applyguard serve: %s\n", error.message);
        status = 2;
    }
    serve_certs_release(&certs);
    return status;
}
