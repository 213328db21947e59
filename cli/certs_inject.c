#include "certs/bundle.h"
#include "certs/secret_base64.h"
#include "cli/certs.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "issuer/ca_bundle.h"

#include <openssl/crypto.h>
#include <stdlib.h>
#include <string.h>

#define CA_BYTES_MAX ((size_t)1024 * 1024)
#define MANIFEST_BYTES_MAX ((size_t)16 * 1024 * 1024)

/*
 * Returns only the certificates of the file: other content, such as a key, must not get into the
 * configuration.
 */
static struct secret read_bundle(const char *path, struct error *error)
{
    struct file_content file;
    struct error problem = {0};
    struct pem_text pem = {0};
    if (file_read(path, CA_BYTES_MAX, &file, &problem) != 0) {
        error_set(error, "%s: %s", path, problem.message);
        return (struct secret){0};
    }
    STACK_OF(X509) *certificates = bundle_parse((struct slice){file.bytes, file.length}, &problem);
    OPENSSL_cleanse(file.bytes, file.length);
    free(file.bytes);
    if (!certificates || bundle_print(certificates, &pem, &problem) != 0)
        error_set(error, "%s: %s", path, problem.message);
    bundle_free(certificates);
    struct secret base64 = {0};
    if (pem.bytes && !secret_base64_encode((struct slice){pem.bytes, pem.length}, &base64))
        error_set_out_of_memory(error);
    free(pem.bytes);
    return base64;
}

static int inject(const char *base64, const char *path, struct error *error)
{
    struct file_content manifest;
    struct error problem = {0};
    if (file_read(path, MANIFEST_BYTES_MAX, &manifest, &problem) != 0)
        return error_set(error, "%s: %s", path, problem.message);
    int result = ca_bundle_set((struct slice){manifest.bytes, manifest.length}, base64, stdout, &problem);
    free(manifest.bytes);
    if (result == 0)
        return 0;
    if (problem.line)
        return error_set(error, "%s:%u:%u: %s", path, problem.line, problem.column, problem.message);
    return error_set(error, "%s: %s", path, problem.message);
}

/* Checks which flags go together. Returns NULL if they are valid. */
static const char *problem_of_flags(const struct certs_options *options)
{
    if (!options->ca)
        return "--ca is missing: which certificate?";
    if (options->operands.count > 1)
        return "one MANIFEST at a time";
    if (options->configuration && options->operands.count)
        return "a MANIFEST or --configuration, not both";
    if (!options->configuration && (options->kubeconfig || options->context))
        return "--configuration is missing: which one in the cluster?";
    return NULL;
}

int certs_inject(const struct certs_options *options)
{
    struct error error = {0};
    const char *problem = problem_of_flags(options);
    if (problem) {
        error_set(&error, "%s", problem);
        return certs_failed(options, &error);
    }
    if (strcmp(options->ca, "-") == 0 && !options->configuration && !options->operands.count)
        return command_reads_input_twice(options->command, "--ca", "MANIFEST");
    struct secret base64 = read_bundle(options->ca, &error);
    if (!base64.bytes)
        return certs_failed(options, &error);
    int result = options->configuration
        ? certs_publish(options, base64.bytes, &error)
        : inject(base64.bytes, options->operands.count ? options->operands.items[0] : "-", &error);
    secret_free(&base64);
    return result == 0 ? 0 : certs_failed(options, &error);
}
