/*
 * applyguard serve: the webhook.
 */
#include "base/array_size.h"
#include "base/durations.h"
#include "base/values.h"
#include "certs/validity_flag.h"
#include "cli/commands.h"
#include "cli/framework/command_line.h"
#include "cli/framework/message.h"
#include "cli/serve_certs.h"
#include "policy/config/rule_link.h"
#include "webhook/server/server.h"

#include <stdio.h>
#include <string.h>

struct options {
    struct settings settings;
    struct serve_certs certs;
};

/* Each returns NULL, or a text about the invalid value. */

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
    *format = strcmp(value, "text") == 0 ? LOG_TEXT : LOG_JSON;
    return NULL;
}

static const char *set_key_kind(const char *value, enum key_kind *kind)
{
    *kind = strcmp(value, "rsa") == 0 ? KEY_RSA_2048 : KEY_EC_P256;
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

static const char *set_rule_url(const char *value, const char **url)
{
    *url = value;
    return rule_url_check(slice_of(value));
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

/* Makes a setter for each row, which gets all options. */
#define FLAG(symbol, name, takes, text, setter)                                                              \
    static const char *flag_##symbol(const char *value, void *field)                                         \
    {                                                                                                        \
        struct options *options = field;                                                                     \
        struct settings *settings = &options->settings;                                                      \
        struct serve_certs *certs = &options->certs;                                                         \
        (void)value, (void)settings, (void)certs;                                                            \
        return setter;                                                                                       \
    }
#define RENAMED(symbol, name, former, takes, text, setter) FLAG(symbol, name, takes, text, setter)
#define OPEN(symbol, name, takes, text, setter) FLAG(symbol, name, takes, text, setter)
#include "cli/serve_flags.def"
#undef OPEN
#undef RENAMED
#undef FLAG

static const struct flag flags[] = {
#define ROW(symbol, name_, former_, takes, is_open_, text_)                                                  \
    {.name = name_,                                                                                          \
     .former = former_,                                                                                      \
     .value = sizeof(takes) > 1 ? takes : NULL,                                                              \
     .is_open = is_open_,                                                                                    \
     .text = text_,                                                                                          \
     .set = flag_##symbol},
#define FLAG(symbol, name, takes, text, setter) ROW(symbol, name, NULL, takes, false, text)
#define RENAMED(symbol, name, former, takes, text, setter) ROW(symbol, name, former, takes, false, text)
#define OPEN(symbol, name, takes, text, setter) ROW(symbol, name, NULL, takes, true, text)
#include "cli/serve_flags.def"
#undef OPEN
#undef RENAMED
#undef FLAG
#undef ROW
};

/* Checks the combination of flags. Returns 0, or the exit status. */
static int check(const struct command *command, struct options *options)
{
    const struct settings *settings = &options->settings;
    const char *flag;
    const char *wrong = serve_certs_finish(&options->certs, settings, &flag);
    if (wrong)
        return command_misused(command, flag, wrong);
    /* A CA alone is mostly that of the cluster, which also signs for every kubelet. */
    if (!settings->tls.client_ca_path != !settings->tls.client_name_count)
        return command_misused(
            command, settings->tls.client_ca_path ? "--client-name" : "--client-ca",
            "is missing: --client-ca says who signs for clients, --client-name which of them may ask");
    return 0;
}

static bool begin(void *prepared)
{
    struct options *options = prepared;
    if (!server_set_up_memory()) {
        message_say("applyguard serve: the memory of OpenSSL can no longer be limited: it is in use already");
        return false;
    }
    settings_default(&options->settings);
    options->settings.version = APPLYGUARD_VERSION;
    options->certs.issuer = &options->settings.issuer;
    return true;
}

static int serve(const struct command *command, void *parsed, const struct operands *operands)
{
    struct options *options = parsed;
    struct error error = {0};
    int status = check(command, options);
    (void)operands;
    if (status || server_run(&options->settings, &error) == 0)
        return status;
    message_say("applyguard serve: %s", error.message);
    return EXIT_UNREADABLE;
}

static void end(void *parsed)
{
    serve_certs_release(&((struct options *)parsed)->certs);
}

const struct command command_serve = {
    .name = "serve",
    .summary = "Serve the admission webhook",
    .synopsis = "--tls-cert FILE --tls-key FILE [FLAG...]\n"
                "--certs-secret NAMESPACE/NAME --certs-service NAME [FLAG...]",
    .description =
        "Serves the validating admission webhook: POST /validate, /validate/warn, /validate/audit.\n\n"
        "SIGHUP or changed files reload policy and certificates; SIGTERM drains and exits.",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    .options_size = sizeof(struct options),
    .begin = begin,
    .run = serve,
    .end = end,
};
