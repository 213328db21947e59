#include "certs/bundle.h"
#include "certs/certificate.h"
#include "certs/directory.h"
#include "cli/certs.h"
#include "cli/commands.h"
#include "cli/file.h"
#include "cli/framework/message.h"

#include <inttypes.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <time.h>

/* Text in certificates is untrusted: control characters and characters beyond ASCII are escaped. */
#define PRINT_FLAGS (XN_FLAG_ONELINE & ~XN_FLAG_SPC_EQ)
#define NAME_FLAGS (ASN1_STRFLGS_ESC_CTRL | ASN1_STRFLGS_ESC_MSB)

static void print_time(int64_t seconds, BIO *out)
{
    char text[sizeof("YYYYYY-MM-DD HH:MM:SS UTC")];
    struct tm parts;
    time_t moment = (time_t)seconds;
    gmtime_r(&moment, &parts);
    strftime(text, sizeof(text), "%F %T UTC", &parts);
    BIO_puts(out, text);
}

static void print_rest(int64_t days, BIO *out)
{
    BIO_printf(out, ", %" PRId64 " day%s left\n", days, days == 1 ? "" : "s");
}

static bool print_validity(const X509 *certificate, int64_t now, BIO *out)
{
    struct validity validity;
    BIO_puts(out, "  valid    ");
    if (!validity_of(certificate, &validity)) {
        BIO_puts(out, "times that cannot be read\n");
        return false;
    }
    print_time(validity.not_before, out);
    BIO_puts(out, " to ");
    print_time(validity.not_after, out);
    if (now > validity.not_after)
        BIO_puts(out, ": EXPIRED\n");
    else if (now < validity.not_before)
        BIO_puts(out, ": NOT YET\n");
    else
        print_rest((validity.not_after - now) / DAY_SECONDS, out);
    return validity_covers(validity, now);
}

static void print_name(const GENERAL_NAME *name, BIO *out)
{
    int type;
    const ASN1_STRING *text = GENERAL_NAME_get0_value(name, &type);
    if (type == GEN_DNS)
        ASN1_STRING_print_ex(out, text, NAME_FLAGS);
    else if (type == GEN_IPADD)
        GENERAL_NAME_print(out, (GENERAL_NAME *)(uintptr_t)name);
    else
        BIO_puts(out, "(another kind of name)");
}

static void print_names(const X509 *certificate, BIO *out)
{
    GENERAL_NAMES *names = names_of(certificate);
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        BIO_puts(out, i ? ", " : "  for      ");
        print_name(sk_GENERAL_NAME_value(names, i), out);
    }
    if (sk_GENERAL_NAME_num(names) > 0)
        BIO_puts(out, "\n");
    GENERAL_NAMES_free(names);
}

static void print_identity(X509 *certificate, BIO *out)
{
    bool is_authority = X509_check_ca(certificate) > 0;
    BIO_puts(out, is_authority ? "  authority " : "  certificate ");
    BIO_puts(out, EVP_PKEY_get0_type_name(X509_get0_pubkey(certificate)));
    BIO_puts(out, is_authority ? ", " : ", signed by ");
    X509_NAME_print_ex(
        out, is_authority ? X509_get_subject_name(certificate) : X509_get_issuer_name(certificate), 0,
        PRINT_FLAGS);
    BIO_puts(out, "\n");
}

static bool print_certificate(X509 *certificate, int64_t now, BIO *out)
{
    if (!X509_get0_pubkey(certificate)) {
        BIO_puts(out, "  a certificate whose key cannot be read\n");
        return false;
    }
    print_identity(certificate, out);
    print_names(certificate, out);
    return print_validity(certificate, now, out);
}

STACK_OF(X509) * certs_read_bundle(const struct directory *directory, const char *name, struct error *error)
{
    struct secret text;
    struct error problem;
    if (directory_read(directory, name, &text, error) != 0)
        return NULL;
    STACK_OF(X509) *certificates = bundle_parse(secret_slice(&text), &problem);
    secret_free(&text);
    if (!certificates)
        error_set(error, "%s: %s", name, problem.message);
    return certificates;
}

EVP_PKEY *certs_read_key(const struct directory *directory, const char *name, struct error *error)
{
    struct secret text;
    struct error problem;
    if (directory_read(directory, name, &text, error) != 0)
        return NULL;
    EVP_PKEY *key = key_parse(secret_slice(&text), &problem);
    secret_free(&text);
    if (!key)
        error_set(error, "%s: %s", name, problem.message);
    return key;
}

STACK_OF(X509) * certs_read_file(const char *path, struct error *error)
{
    struct file_content file;
    if (file_read(path, CERTS_FILE_BYTES_MAX, &file, error) != 0)
        return NULL;
    STACK_OF(X509) *certificates = bundle_parse(file_slice(&file), error);
    OPENSSL_cleanse(file.bytes, file.length);
    free(file.bytes);
    return certificates;
}

static bool print_all(const char *name, const STACK_OF(X509) * certificates, BIO *out)
{
    bool all_well = true;
    int64_t now = time(NULL);
    message_print(stdout, "%s", name);
    for (int i = 0; i < sk_X509_num(certificates); i++)
        all_well = print_certificate(sk_X509_value(certificates, i), now, out) && all_well;
    return all_well;
}

/* Whether an authority has signed the leaf. */
static bool is_trusted(const STACK_OF(X509) * leafs, const STACK_OF(X509) * authorities)
{
    bool found = false;
    for (int i = 0; i < sk_X509_num(authorities) && !found; i++) {
        EVP_PKEY *key = X509_get0_pubkey(sk_X509_value(authorities, i));
        found = key && X509_verify(sk_X509_value(leafs, 0), key) == 1;
    }
    ERR_clear_error();
    return found;
}

static bool has_key(const struct directory *directory, X509 *leaf, const char *name)
{
    EVP_PKEY *key = certs_read_key(directory, name, NULL);
    bool matches = key && X509_check_private_key(leaf, key) == 1;
    EVP_PKEY_free(key);
    ERR_clear_error();
    return matches;
}

static bool check_together(
    const struct directory *directory, const STACK_OF(X509) * authorities, const STACK_OF(X509) * leafs,
    BIO *out)
{
    bool is_signed = is_trusted(leafs, authorities);
    bool matches = has_key(directory, sk_X509_value(leafs, 0), CERTS_TLS_KEY);
    if (!is_signed)
        BIO_puts(out, "tls.crt IS NOT SIGNED by an authority in ca.crt\n");
    if (!matches)
        BIO_puts(out, "tls.key IS NOT THE KEY of tls.crt, or cannot be read\n");
    return is_signed && matches;
}

static int show_directory(const struct directory *directory, BIO *out, struct error *error)
{
    STACK_OF(X509) *authorities = certs_read_bundle(directory, CERTS_CA, error);
    STACK_OF(X509) *leafs = authorities ? certs_read_bundle(directory, CERTS_TLS, error) : NULL;
    int status = EXIT_UNREADABLE;
    if (leafs) {
        bool all_well = print_all(CERTS_CA, authorities, out);
        all_well = print_all(CERTS_TLS, leafs, out) && all_well;
        all_well = check_together(directory, authorities, leafs, out) && all_well;
        status = all_well ? 0 : EXIT_DENIED;
    }
    bundle_free(authorities);
    bundle_free(leafs);
    return status;
}

static int show_file(const char *path, BIO *out, struct error *error)
{
    STACK_OF(X509) *certificates = certs_read_file(path, error);
    if (!certificates)
        return EXIT_UNREADABLE;
    bool all_well = print_all(path, certificates, out);
    bundle_free(certificates);
    return all_well ? 0 : EXIT_DENIED;
}

static int show(const char *path, BIO *out, struct error *error)
{
    struct stat status;
    struct directory directory;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode))
        return show_file(path, out, error);
    int result = EXIT_UNREADABLE;
    if (directory_open(&directory, path, false, error) == 0)
        result = show_directory(&directory, out, error);
    directory_close(&directory);
    return result;
}

int certs_show(const struct command *command, void *options, const struct operands *operands)
{
    (void)options;
    struct error error;
    int worst = 0;
    if (operands->count == 0)
        return command_misused(command, "DIR or FILE", "is missing: which one?");
    BIO *out = BIO_new_fp(stdout, BIO_NOCLOSE);
    for (int i = 0; out && i < operands->count; i++) {
        int status = show(operands->items[i], out, &error);
        if (status == EXIT_UNREADABLE)
            file_complain(operands->items[i], &error);
        worst = status > worst ? status : worst;
    }
    BIO_free(out);
    return out ? worst : EXIT_UNREADABLE;
}
