/*
 * applyguard serve: the webhook.
 */
#include "base/values.h"
#include "cli/commands.h"
#include "cli/life.h"
#include "cli/serve_certs.h"
#include "webhook/server/server.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum serve_flag {
    FLAG_HELP = 256, /* above all characters: but for -h there are no short forms */
#define FLAG(symbol, name, takes, text, setter) FLAG_##symbol,
#include "cli/serve_flags.def"
#undef FLAG
};

static const struct option flags[] = {
#define FLAG(symbol, name, takes, text, setter)                                                              \
    {name, sizeof(takes) > 1 ? required_argument : no_argument, NULL, FLAG_##symbol},
#include "cli/serve_flags.def"
#undef FLAG
    {"help", no_argument, NULL, FLAG_HELP},
    {NULL, 0, NULL, 0},
};

static void print_flag(const char *flag, const char *text)
{
    printf("  %-26s %s\n", flag, text);
}

static void print_help(void)
{
    puts("Usage: applyguard serve --tls-cert FILE --tls-key FILE [FLAG...]\n"
         "       applyguard serve --certs-secret NAMESPACE/NAME --certs-service NAME [FLAG...]\n"
         "\n"
         "Serves the validating admission webhook: POST /validate, /validate/warn, /validate/audit.\n"
         "SIGHUP or changed files reload policy and certificates; SIGTERM drains and exits.\n"
         "\n"
         "Flags:");
#define FLAG(symbol, name, takes, text, setter) print_flag("--" name " " takes, text);
#include "cli/serve_flags.def"
#undef FLAG
    print_flag("-h, --help", "print this");
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

static const char *set_labels(const char *value, struct label_names *labels)
{
    bool both = strcmp(value, "kind,namespace") == 0 || strcmp(value, "namespace,kind") == 0;
    *labels = (struct label_names){
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

static const char *set_true(bool *flag)
{
    *flag = true;
    return NULL;
}

static const char *add_client_name(const char *value, struct settings *settings)
{
    if (!*value)
        return "is empty";
    if (settings->tls.client_name_count == CLIENT_NAMES_MAX)
        return "is one name too many";
    settings->tls.client_names[settings->tls.client_name_count++] = value;
    return NULL;
}

static const char *set_flag(int flag, const char *value, struct settings *settings, struct serve_certs *certs)
{
    switch (flag) {
#define FLAG(symbol, name, takes, text, setter)                                                              \
    case FLAG_##symbol:                                                                                      \
        return setter;
#include "cli/serve_flags.def"
#undef FLAG
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
    if (!settings->tls.client_ca_path != !settings->tls.client_name_count)
        return usage_error(
            settings->tls.client_ca_path ? "--client-name" : "--client-ca",
            "is missing: --client-ca says who signs for clients, --client-name which of them may ask");
    return 0;
}

/* 0: go on; else the exit status plus one. */
static int parse_flags(int argc, char **argv, struct settings *settings, struct serve_certs *certs)
{
    int flag, index = 0;
    opterr = 0;
    optind = 1;
    while ((flag = getopt_long(argc, argv, "+:h", flags, &index)) != -1) {
        if (flag == FLAG_HELP || flag == 'h') {
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
