/*
 * applyguard certs: certificates by hand.
 */
#include "cli/certs.h"

#include "base/count.h"
#include "base/values.h"
#include "certs/certificate.h"
#include "certs/memory.h"
#include "cli/commands.h"

#include <getopt.h>
#include <string.h>

#define DAY_SECONDS 86400

static void print_help(FILE *out)
{
    fputs(
        "Usage: applyguard certs create --out DIR --service NAME --namespace NAMESPACE [FLAG...]\n"
        "       applyguard certs renew --out DIR [--force] [FLAG...]\n"
        "       applyguard certs show DIR|FILE...\n"
        "       applyguard certs inject --ca FILE [MANIFEST]\n"
        "       applyguard certs inject --ca FILE --configuration NAME [--kubeconfig FILE] [--context NAME]\n"
        "\n"
        "create makes a certificate authority and a certificate for a Service: ca.crt, ca.key, tls.crt,\n"
        "tls.key.\n"
        "renew makes what is due: a new certificate after two thirds of the old one's life; a new authority\n"
        "in two steps, so that ca.crt contains it before it signs. Run renew daily, and inject ca.crt\n"
        "afterwards.\n"
        "show prints the names and the validity of certificates; exit status 1 if something is wrong.\n"
        "inject prints the manifest of a webhook configuration with ca.crt as the caBundle of its webhooks.\n"
        "Without MANIFEST, or with \"-\", it reads the manifest from standard input. With --configuration "
        "it\n"
        "changes the ValidatingWebhookConfiguration of that name in the cluster, as field manager "
        "applyguard.\n"
        "\n"
        "Flags of create and renew:\n"
        "  --out DIR              the directory of the files; created if it does not exist\n"
        "  --service NAME         the Service that serves the webhook\n"
        "  --namespace NAMESPACE  its namespace\n"
        "  --dns NAME             a further DNS name; may be given several times\n"
        "  --ip ADDRESS           an IP address; may be given several times\n"
        "  --key KIND             ec (P-256, the default) or rsa (2048 bits)\n"
        "  --days N               days for which the certificate is valid (default 90)\n"
        "  --ca-days N            days for which the authority is valid (default 365)\n"
        "  --force                renew the certificate even if it is not due\n",
        out);
}

enum certs_flag {
    FLAG_OUT = 256,
    FLAG_SERVICE,
    FLAG_NAMESPACE,
    FLAG_DNS,
    FLAG_IP,
    FLAG_KEY,
    FLAG_DAYS,
    FLAG_CA_DAYS,
    FLAG_FORCE,
    FLAG_CA,
    FLAG_CONFIGURATION,
    FLAG_KUBECONFIG,
    FLAG_CONTEXT,
    FLAG_HELP,
};

static const struct option flags[] = {
    {"out", required_argument, NULL, FLAG_OUT},
    {"service", required_argument, NULL, FLAG_SERVICE},
    {"namespace", required_argument, NULL, FLAG_NAMESPACE},
    {"dns", required_argument, NULL, FLAG_DNS},
    {"ip", required_argument, NULL, FLAG_IP},
    {"key", required_argument, NULL, FLAG_KEY},
    {"days", required_argument, NULL, FLAG_DAYS},
    {"ca-days", required_argument, NULL, FLAG_CA_DAYS},
    {"force", no_argument, NULL, FLAG_FORCE},
    {"ca", required_argument, NULL, FLAG_CA},
    {"configuration", required_argument, NULL, FLAG_CONFIGURATION},
    {"kubeconfig", required_argument, NULL, FLAG_KUBECONFIG},
    {"context", required_argument, NULL, FLAG_CONTEXT},
    {"help", no_argument, NULL, FLAG_HELP},
    {NULL, 0, NULL, 0},
};

/* Which flags a subcommand takes, as bits by flag - FLAG_OUT. */
#define BIT(flag) (1u << ((flag)-FLAG_OUT))
#define CREATE_FLAGS                                                                                         \
    (BIT(FLAG_OUT) | BIT(FLAG_SERVICE) | BIT(FLAG_NAMESPACE) | BIT(FLAG_DNS) | BIT(FLAG_IP) |                \
     BIT(FLAG_KEY) | BIT(FLAG_DAYS) | BIT(FLAG_CA_DAYS))
#define RENEW_FLAGS (BIT(FLAG_OUT) | BIT(FLAG_DAYS) | BIT(FLAG_CA_DAYS) | BIT(FLAG_FORCE))
#define INJECT_FLAGS (BIT(FLAG_CA) | BIT(FLAG_CONFIGURATION) | BIT(FLAG_KUBECONFIG) | BIT(FLAG_CONTEXT))

static const struct subcommand {
    const char *name;
    unsigned flags;
    int (*run)(const struct certs_options *options);
} subcommands[] = {
    {"create", CREATE_FLAGS, certs_create},
    {"renew", RENEW_FLAGS, certs_renew},
    {"show", 0, certs_show},
    {"inject", INJECT_FLAGS, certs_inject},
};

int certs_failed(const struct certs_options *options, const struct error *error)
{
    fprintf(stderr, "applyguard certs %s: %s\n", options->command, error->message);
    return EXIT_UNREADABLE;
}

static int set_days(const char *value, int64_t *seconds, struct error *error)
{
    uint64_t days;
    const char *wrong = number_parse(value, 1, CERTS_DAYS_MAX, &days);
    if (wrong)
        return error_set(error, "%s", wrong);
    *seconds = (int64_t)days * DAY_SECONDS;
    return 0;
}

static int set_key(const char *value, enum key_kind *kind, struct error *error)
{
    const char *wrong = key_kind_parse(value, kind);
    return wrong ? error_set(error, "%s", wrong) : 0;
}

static int set_flag(int flag, const char *value, struct certs_options *options, struct error *error)
{
    switch (flag) {
    case FLAG_OUT:
        options->out = value;
        return 0;
    case FLAG_SERVICE:
        options->service = value;
        return 0;
    case FLAG_NAMESPACE:
        options->namespace = value;
        return 0;
    case FLAG_DNS:
        return names_add_dns(options->names, value, error);
    case FLAG_IP:
        return names_add_ip(options->names, value, error);
    case FLAG_KEY:
        return set_key(value, &options->key_kind, error);
    case FLAG_DAYS:
        return set_days(value, &options->leaf_seconds, error);
    case FLAG_CA_DAYS:
        return set_days(value, &options->authority_seconds, error);
    case FLAG_FORCE:
        options->is_forced = true;
        return 0;
    case FLAG_CA:
        options->ca = value;
        return 0;
    case FLAG_CONFIGURATION:
        options->configuration = value;
        return 0;
    case FLAG_KUBECONFIG:
        options->kubeconfig = value;
        return 0;
    case FLAG_CONTEXT:
        options->context = value;
        return 0;
    }
    return error_set(error, "is not a flag");
}

static int usage_error(const struct certs_options *options, const char *subject, const char *problem)
{
    fprintf(
        stderr, "applyguard certs %s: %s %s; see applyguard certs --help\n", options->command, subject,
        problem);
    return EXIT_UNREADABLE;
}

static int bad_value(
    const struct certs_options *options, const char *flag, const char *value, const struct error *error)
{
    fprintf(
        stderr, "applyguard certs %s: --%s %s %s; see applyguard certs --help\n", options->command, flag,
        value ? value : "", error->message);
    return EXIT_UNREADABLE;
}

static int parse_flags(
    int argc, char **argv, const struct subcommand *subcommand, struct certs_options *options)
{
    int flag, index = 0;
    opterr = 0;
    optind = 1;
    while ((flag = getopt_long(argc, argv, ":", flags, &index)) != -1) {
        struct error error = {0};
        if (flag == ':')
            return usage_error(options, argv[optind - 1], "lacks its value");
        if (flag == '?' || !(subcommand->flags & BIT(flag)))
            return usage_error(
                options, argv[flag == '?' || !optarg ? optind - 1 : optind - 2], "is not a flag of it");
        if (set_flag(flag, optarg, options, &error) != 0)
            return bad_value(options, flags[index].name, optarg, &error);
    }
    options->operands = argv + optind;
    options->operand_count = argc - optind;
    return 0;
}

static int run(int argc, char **argv, const struct subcommand *subcommand)
{
    struct error error = {0};
    struct certs_options options = {
        .command = subcommand->name,
        .names = names_create(&error),
        .leaf_seconds = (int64_t)CERTS_DEFAULT_DAYS * DAY_SECONDS,
        .authority_seconds = (int64_t)CERTS_DEFAULT_CA_DAYS * DAY_SECONDS,
    };
    if (!options.names)
        return certs_failed(&options, &error);
    int status = parse_flags(argc, argv, subcommand, &options);
    if (status == 0)
        status = subcommand->run(&options);
    GENERAL_NAMES_free(options.names);
    return status;
}

int command_certs(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (is_help_flag(argv[i])) {
            print_help(stdout);
            return 0;
        }
    memory_protect();
    for (size_t i = 0; argc > 1 && i < COUNT(subcommands); i++)
        if (strcmp(argv[1], subcommands[i].name) == 0)
            return run(argc - 1, argv + 1, &subcommands[i]);
    if (argc > 1)
        fprintf(stderr, "applyguard certs: there is no \"%s\"\n\n", argv[1]);
    print_help(stderr);
    return EXIT_UNREADABLE;
}
