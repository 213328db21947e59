/*
 * applyguard serve: the webhook.
 */
#include "cli/commands.h"
#include "webhook/server.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum serve_flag {
    FLAG_POLICY = 256, /* above all characters: there are no short forms */
    FLAG_LISTEN,
    FLAG_TLS_CERT,
    FLAG_TLS_KEY,
    FLAG_LOOKUP,
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
    {"lookup", no_argument, NULL, FLAG_LOOKUP},
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
    {"FILE", "PEM file with the certificate and its chain (required)"},
    {"FILE", "PEM file with the certificate's private key (required)"},
    {NULL, "judge scales, by the scaled object that it gets from the API server (default: allow them)"},
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

static const char *set_string(const char *value, const char **string)
{
    *string = value;
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

static const char *set_flag(int flag, const char *value, struct settings *settings)
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
    case FLAG_LOOKUP:
        settings->looks_up = true;
        return NULL;
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

static int check(int argc, char **argv, const struct settings *settings)
{
    if (optind < argc)
        return usage_error(argv[optind], "is not a flag");
    if (!settings->tls_cert_path || !settings->tls_key_path)
        return usage_error(settings->tls_cert_path ? "--tls-key" : "--tls-cert", "is missing");
    /* The authority alone is mostly the cluster's, which also signs for every kubelet. */
    if (!settings->client_ca_path != !settings->client_name_count)
        return usage_error(
            settings->client_ca_path ? "--client-name" : "--client-ca",
            "is missing: --client-ca says who signs for clients, --client-name which of them may ask");
    return 0;
}

/* 0: go on; else the exit status plus one. */
static int parse_flags(int argc, char **argv, struct settings *settings)
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
        const char *wrong = set_flag(flag, optarg, settings);
        if (wrong)
            return 1 + bad_value(index, optarg, wrong);
    }
    int status = check(argc, argv, settings);
    return status ? 1 + status : 0;
}

int command_serve(int argc, char **argv)
{
    struct settings settings;
    struct error error = {0};
    settings_default(&settings);
    settings.version = APPLYGUARD_VERSION;
    int stop = parse_flags(argc, argv, &settings);
    if (stop)
        return stop - 1;
    if (server_run(&settings, &error) == 0)
        return 0;
    fprintf(stderr, "applyguard serve: %s\n", error.message);
    return 2;
}
