#include "certs/base64.h"
#include "kube/cleansing.h"
#include "kube/exec.h"
#include "kube/material.h"

#include "base/json.h"
#include "base/text.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <time.h>

void kube_exec_credential_release(struct kube_exec_credential *credential)
{
    secret_free(&credential->token);
    secret_free(&credential->certificate);
    secret_free(&credential->key);
    credential->expires_at = 0;
}

/*
 * What it answers
 */

static bool take_text(yyjson_val *status, struct slice name, struct secret *target)
{
    struct slice text = json_text(json_member(status, name));
    if (text.length == 0)
        return true;
    *target = secret_allocate(text.length);
    if (target->bytes)
        memcpy(target->bytes, text.bytes, text.length);
    return target->bytes;
}

/* RFC 3339: 2026-11-21T14:00:00Z, with a fraction or an offset. */
static bool parse_time(struct slice text, int64_t *seconds)
{
    char copy[40];
    struct tm parts = {0};
    if (text.length >= sizeof(copy))
        return false;
    memcpy(copy, text.bytes, text.length);
    copy[text.length] = '\0';
    char *rest = strptime(copy, "%Y-%m-%dT%H:%M:%S", &parts);
    if (!rest)
        return false;
    *seconds = timegm(&parts);
    if (*rest == '.')
        rest += 1 + strspn(rest + 1, "0123456789");
    struct tm zone = {0};
    if (strcmp(rest, "Z") == 0)
        return true;
    char sign = *rest;
    if ((sign != '+' && sign != '-') || !(rest = strptime(rest + 1, "%H:%M", &zone)) || *rest)
        return false;
    int64_t offset = (int64_t)zone.tm_hour * 3600 + (int64_t)zone.tm_min * 60;
    *seconds += sign == '+' ? -offset : offset;
    return true;
}

static int check_kind(yyjson_val *root, const char *api_version, struct error *error)
{
    if (!slice_equal(json_text(json_member(root, SLICE("kind"))), SLICE("ExecCredential")))
        return error_set(error, "it printed no ExecCredential");
    if (slice_equal(json_text(json_member(root, SLICE("apiVersion"))), slice_of(api_version)))
        return 0;
    return error_set(error, "it printed an ExecCredential of another apiVersion than %s", api_version);
}

static int take_status(yyjson_val *status, struct kube_exec_credential *credential, struct error *error)
{
    struct slice expires = json_text(json_member(status, SLICE("expirationTimestamp")));
    if (expires.length && !parse_time(expires, &credential->expires_at))
        return error_set(error, "its expirationTimestamp is no time");
    if (!take_text(status, SLICE("token"), &credential->token) ||
        !take_text(status, SLICE("clientCertificateData"), &credential->certificate) ||
        !take_text(status, SLICE("clientKeyData"), &credential->key))
        return error_set(error, "out of memory");
    if (!credential->certificate.bytes != !credential->key.bytes)
        return error_set(error, "it gave a certificate without its key, or a key without its certificate");
    if (!credential->token.bytes && !credential->key.bytes)
        return error_set(error, "it gave neither a token nor a certificate");
    return 0;
}

int kube_exec_credential_parse(
    struct slice json, const char *api_version, struct kube_exec_credential *credential, struct error *error)
{
    yyjson_read_err problem;
    *credential = (struct kube_exec_credential){0};
    yyjson_doc *document = yyjson_read_opts(
        (char *)(uintptr_t)json.bytes, json.length, YYJSON_READ_NOFLAG, &cleansing_allocator, &problem);
    if (!document)
        return error_set(
            error,
            problem.code == YYJSON_READ_ERROR_MEMORY_ALLOCATION ? "out of memory" : "it printed no JSON");
    yyjson_val *root = yyjson_doc_get_root(document);
    int result = check_kind(root, api_version, error);
    if (result == 0)
        result = take_status(json_member(root, SLICE("status")), credential, error);
    yyjson_doc_free(document);
    if (result != 0)
        kube_exec_credential_release(credential);
    return result;
}

/*
 * What it is told
 */

/* A name that is the program's own, and its value. */
static void append_text(struct text *text, const char *name, const char *value)
{
    text_append_string(text, name);
    text_append_json(text, slice_of(value));
}

/* False if there is no memory. */
static bool append_authority(struct text *text, const struct secret *authority)
{
    struct secret base64;
    if (!authority->bytes)
        return true;
    if (!base64_encode(secret_slice(authority), &base64))
        return false;
    append_text(text, ",\"certificate-authority-data\":", base64.bytes);
    secret_free(&base64);
    return true;
}

static bool append_cluster(
    struct text *text, const struct kube_config *config, const struct secret *authority)
{
    append_text(text, ",\"cluster\":{\"server\":", config->server);
    if (config->tls_server_name)
        append_text(text, ",\"tls-server-name\":", config->tls_server_name);
    if (config->insecure_skip_tls_verify)
        text_append_string(text, ",\"insecure-skip-tls-verify\":true");
    if (config->proxy_url)
        append_text(text, ",\"proxy-url\":", config->proxy_url);
    if (config->exec.cluster_config) {
        text_append_string(text, ",\"config\":");
        text_append_string(text, config->exec.cluster_config);
    }
    bool done = append_authority(text, authority);
    text_append_string(text, "}");
    return done;
}

char *kube_exec_info(const struct kube_config *config, const struct secret *authority, bool is_interactive)
{
    struct arena *arena = arena_create();
    if (!arena)
        return NULL;
    struct text text = text_start(arena, 512);
    append_text(&text, "{\"kind\":\"ExecCredential\",\"apiVersion\":", config->exec.api_version);
    text_append_string(
        &text, is_interactive ? ",\"spec\":{\"interactive\":true" : ",\"spec\":{\"interactive\":false");
    bool done = !config->exec.provides_cluster || append_cluster(&text, config, authority);
    text_append_string(&text, "}}");
    struct slice json = text_slice(&text);
    char *copy = done && json.bytes ? strndup(json.bytes, json.length) : NULL;
    arena_destroy(arena);
    return copy;
}
