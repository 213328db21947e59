/* applyguard certs: manages certificates by hand. */
#include "cli/certs.h"

#include "base/array_size.h"
#include "base/values.h"
#include "certs/certificate.h"
#include "certs/memory.h"
#include "cli/commands.h"
#include "cli/framework/message.h"

#include <inttypes.h>
#include <stdio.h>

static const char *set_days(const char *value, void *field)
{
    uint64_t days;
    const char *wrong = number_parse(value, 1, CERTS_DAYS_MAX, &days);
    if (!wrong)
        *(int64_t *)field = (int64_t)days * DAY_SECONDS;
    return wrong;
}

static const char *add_dns(const char *value, void *field)
{
    struct certs_options *options = field;
    return names_add_dns(options->names, value, &options->error) == 0 ? NULL : options->error.message;
}

static const char *add_ip(const char *value, void *field)
{
    struct certs_options *options = field;
    return names_add_ip(options->names, value, &options->error) == 0 ? NULL : options->error.message;
}

static bool begin(void *prepared)
{
    struct certs_options *options = prepared;
    memory_protect();
    options->names = names_create(&options->error);
    if (!options->names)
        message_say_out_of_memory("certs");
    return options->names;
}

static void end(void *parsed)
{
    GENERAL_NAMES_free(((struct certs_options *)parsed)->names);
}

#define CERTS_OPTIONS                                                                                        \
    DEFAULTS(                                                                                                \
        struct certs_options, .issue.leaf_seconds = (int64_t)CERTS_DEFAULT_DAYS * DAY_SECONDS,               \
        .issue.authority_seconds = (int64_t)CERTS_DEFAULT_CA_DAYS * DAY_SECONDS),                            \
        .begin = begin, .end = end

#define FLAG_OUT                                                                                             \
    {                                                                                                        \
        .name = "out", .value = "DIR", .text = "the directory of the files; created if it does not exist",   \
        SETS(flag_set_string, struct certs_options, out)                                                     \
    }
#define FLAG_DAYS                                                                                            \
    {                                                                                                        \
        .name = "days", .value = "N", .text = "days for which the certificate is valid (default 90)",        \
        SETS(set_days, struct certs_options, issue.leaf_seconds)                                             \
    }
#define FLAG_CA_DAYS                                                                                         \
    {                                                                                                        \
        .name = "ca-days", .value = "N", .text = "days for which the authority is valid (default 365)",      \
        SETS(set_days, struct certs_options, issue.authority_seconds)                                        \
    }

static const struct flag create_flags[] = {
    FLAG_OUT,
    {.name = "service",
     .value = "NAME",
     .text = "the Service that serves the webhook",
     SETS(flag_set_string, struct certs_options, service)},
    {.name = "namespace",
     .value = "NAMESPACE",
     .text = "its namespace",
     SETS(flag_set_string, struct certs_options, namespace)},
    {.name = "dns",
     .value = "NAME",
     .text = "a further DNS name; may be given several times",
     .set = add_dns},
    {.name = "ip", .value = "ADDRESS", .text = "an IP address; may be given several times", .set = add_ip},
    {.name = "key",
     .value = "ec|rsa",
     .text = "the kind of the keys, P-256 or RSA of 2048 bits (default ec)",
     CHOOSES(struct certs_options, issue.key_kind)},
    FLAG_DAYS,
    FLAG_CA_DAYS,
};

static const struct command certs_create_command = {
    .name = "certs create",
    .summary = "Make an authority and a certificate for a Service",
    .synopsis = "--out DIR --service NAME --namespace NAMESPACE [FLAG...]",
    .description = "Makes a certificate authority and a certificate for a Service: ca.crt, ca.key, tls.crt, "
                   "tls.key.",
    .flags = create_flags,
    .flag_count = ARRAY_SIZE(create_flags),
    CERTS_OPTIONS,
    .run = certs_create,
};

static const struct flag renew_flags[] = {
    FLAG_OUT,
    FLAG_DAYS,
    FLAG_CA_DAYS,
    {.name = "force",
     .text = "renew the certificate even if it is not due",
     SETS(flag_set_true, struct certs_options, is_forced)},
};

static const struct command certs_renew_command = {
    .name = "certs renew",
    .summary = "Renew what is due",
    .synopsis = "--out DIR [FLAG...]",
    .description =
        "Makes what is due: a new certificate after two thirds of the old one's life; a new authority in two "
        "steps, so that ca.crt contains it before it signs. Run it daily, and inject ca.crt afterwards.",
    .flags = renew_flags,
    .flag_count = ARRAY_SIZE(renew_flags),
    CERTS_OPTIONS,
    .run = certs_renew,
};

static const struct command certs_show_command = {
    .name = "certs show",
    .summary = "Print names and validity of certificates",
    .synopsis = "DIR|FILE...",
    .description = "Prints the names and the validity of certificates.",
    .exit_status = "0 all is well, 1 something is wrong with a certificate, 2 a file could not be read.",
    .operand = "FILE",
    CERTS_OPTIONS,
    .run = certs_show,
};

static const struct flag inject_flags[] = {
    {.name = "ca",
     .value = "FILE",
     .text = "the authorities' certificates, PEM",
     SETS(flag_set_file, struct certs_options, ca)},
    {.name = "configuration",
     .value = "NAME",
     .text = "change the ValidatingWebhookConfiguration of this name in the cluster",
     SETS(flag_set_string, struct certs_options, configuration)},
    {.name = "kubeconfig",
     .value = "FILE",
     .text = "how to reach the cluster (default: as kubectl finds it, else the pod's service account)",
     SETS(flag_set_string, struct certs_options, kubeconfig)},
    {.name = "context",
     .value = "NAME",
     .text = "the kubeconfig's context (default: its current one)",
     SETS(flag_set_string, struct certs_options, context)},
};

static const struct command certs_inject_command = {
    .name = "certs inject",
    .summary = "Set the caBundle of a webhook configuration",
    .synopsis = "--ca FILE [MANIFEST]\n"
                "--ca FILE --configuration NAME [--kubeconfig FILE] [--context NAME]",
    .description =
        "Prints the manifest of a webhook configuration with ca.crt as the caBundle of its webhooks. Without "
        "MANIFEST, or with \"-\", it reads the manifest from standard input. With --configuration it changes "
        "the ValidatingWebhookConfiguration of that name in the cluster, as field manager applyguard.",
    .operand = "FILE",
    .flags = inject_flags,
    .flag_count = ARRAY_SIZE(inject_flags),
    CERTS_OPTIONS,
    .run = certs_inject,
};

static const struct command *const subcommands[] = {
    &certs_create_command, &certs_renew_command, &certs_show_command, &certs_inject_command};

const struct command command_certs = {
    .name = "certs",
    .summary = "Make, show and renew certificates by hand",
    .commands = subcommands,
    .command_count = ARRAY_SIZE(subcommands),
};
