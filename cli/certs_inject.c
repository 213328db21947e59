#include "certs/bundle.h"
#include "certs/secret_base64.h"
#include "cli/certs.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "issuer/ca_bundle.h"
#include "kube/client.h"

#include <stdlib.h>
#include <string.h>

#define MANIFEST_BYTES_MAX ((size_t)16 * 1024 * 1024)

/*
 * Returns only the certificates of the file: other content, such as a key, must not get into the
 * configuration.
 */
static struct secret read_bundle(const char *path, struct error *error)
{
    struct pem_text pem = {0};
    struct secret base64 = {0};
    STACK_OF(X509) *certificates = certs_read_file(path, error);
    if (certificates && bundle_print(certificates, &pem, error) == 0 &&
        !secret_base64_encode((struct slice){pem.bytes, pem.length}, &base64))
        error_set_out_of_memory(error);
    bundle_free(certificates);
    free(pem.bytes);
    return base64;
}

static int inject(const char *base64, const char *path, struct error *error)
{
    struct file_content manifest;
    if (file_read(path, MANIFEST_BYTES_MAX, &manifest, error) != 0)
        return -1;
    int result = ca_bundle_set(file_slice(&manifest), base64, stdout, error);
    free(manifest.bytes);
    return result;
}

/* Returns 0, or the exit status if the flags do not go together. */
static int check(
    const struct command *command, const struct certs_options *options, const struct operands *operands)
{
    if (!options->ca)
        return command_misused(command, "--ca", "is missing: which certificate?");
    if (operands->count > 1)
        return command_misused(command, operands->items[1], "is one MANIFEST too many");
    if (options->configuration && operands->count)
        return command_misused(command, "use either MANIFEST", "or --configuration");
    if (!options->configuration && (options->kubeconfig || options->context))
        return command_misused(command, "--configuration", "is missing: which one in the cluster?");
    if (options->configuration && !kube_is_name(options->configuration))
        return command_misused(command, "--configuration", "is no name of an object");
    if (strcmp(options->ca, "-") == 0 && !options->configuration && !operands->count)
        return command_reads_input_twice(command, "--ca", "MANIFEST");
    return 0;
}

int certs_inject(const struct command *command, void *parsed, const struct operands *operands)
{
    const struct certs_options *options = parsed;
    struct error error;
    const char *manifest = operands->count ? operands->items[0] : "-";
    int status = check(command, options, operands);
    if (status)
        return status;
    struct secret base64 = read_bundle(options->ca, &error);
    if (!base64.bytes) {
        file_complain(options->ca, &error);
        return EXIT_UNREADABLE;
    }
    int result = options->configuration ? certs_publish(options, base64.bytes, &error)
                                        : inject(base64.bytes, manifest, &error);
    secret_free(&base64);
    if (result == 0)
        return 0;
    file_complain(options->configuration ? options->configuration : manifest, &error);
    return EXIT_UNREADABLE;
}
