#include "base/array_size.h"
#include "cli/certs.h"
#include "cli/file.h"
#include "cli/framework/message.h"

#include <inttypes.h>
#include <time.h>

int certs_issue_leaf(
    const struct certs_options *options, const struct directory *directory, const struct authority *authority,
    GENERAL_NAMES *names, int64_t now, struct error *error)
{
    const int64_t wanted = options->issue.leaf_seconds;
    int64_t not_after = now + wanted;
    if (issue_leaf(directory, &options->issue, authority, names, now, &not_after, error) != 0)
        return -1;
    int64_t days = (not_after - now) / DAY_SECONDS;
    if (not_after < now + wanted)
        message_print(
            stdout,
            CERTS_TLS ": it ends with its authority, in %" PRId64 " day%s, not in %" PRId64 " (--days)", days,
            days == 1 ? "" : "s", wanted / DAY_SECONDS);
    return 0;
}

/* Returns 0, or the exit status if the flags do not go together. */
static int check(const struct command *command, const struct certs_options *options)
{
    struct error error;
    if (!options->out)
        return command_misused(command, "--out", "is missing: which directory?");
    if (!options->service != !options->namespace)
        return command_misused(command, "--service and --namespace", "go together");
    if (options->service)
        return names_add_service(options->names, options->service, options->namespace, &error) == 0
            ? 0
            : command_misused(command, "--service:", error.message);
    if (sk_GENERAL_NAME_num(options->names) == 0)
        return command_misused(
            command, "a name", "is missing: give --service and --namespace, --dns or --ip");
    return 0;
}

/* Existing files may be in use: replacing the authority would cut off clients that trust it. */
static int check_is_new(const struct directory *directory, struct error *error)
{
    static const char *const names[] = {CERTS_CA, CERTS_CA_KEY, CERTS_TLS, CERTS_TLS_KEY};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (directory_has(directory, names[i]))
            return error_set(
                error, "%s is there already; renew what is there, or give another directory", names[i]);
    return 0;
}

static int create(const struct directory *directory, const struct certs_options *options, struct error *error)
{
    struct authority authority;
    int64_t now = time(NULL);
    const char *name = options->service ? options->service : "applyguard";
    if (check_is_new(directory, error) != 0 ||
        issue_authority(&options->issue, name, now, &authority, error) != 0)
        return -1;
    bool done = issue_write_key(directory, CERTS_CA_KEY, authority.key, error) == 0 &&
        issue_write_bundle(directory, &authority.certificate, 1, error) == 0 &&
        certs_issue_leaf(options, directory, &authority, options->names, now, error) == 0;
    authority_release(&authority);
    return done ? 0 : -1;
}

int certs_create(const struct command *command, void *parsed, const struct operands *operands)
{
    const struct certs_options *options = parsed;
    struct error error;
    struct directory directory;
    int status = check(command, options);
    (void)operands;
    if (status)
        return status;
    bool is_made = directory_open(&directory, options->out, true, &error) == 0 &&
        create(&directory, options, &error) == 0;
    directory_close(&directory);
    if (!is_made) {
        file_complain(options->out, &error);
        return EXIT_UNREADABLE;
    }
    message_print(
        stdout, "%s: made ca.crt, ca.key, tls.crt and tls.key; the server needs tls.crt and tls.key alone",
        options->out);
    message_print(stdout, "where ca.key is, run applyguard certs renew --out %s every day", options->out);
    return 0;
}
