#include "certs/base64.h"
#include "kube/cleansing.h"
#include "kube/exec.h"
#include "kube/material.h"

#include "base/json.h"

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
    *credential = (struct kube_exec_credential){0};
    yyjson_doc *document = yyjson_read_opts(
        (char *)(uintptr_t)json.bytes, json.length, YYJSON_READ_NOFLAG, &cleansing_allocator, NULL);
    if (!document)
        return error_set(error, "it printed no JSON");
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

static bool add_authority(yyjson_mut_doc *document, yyjson_mut_val *cluster, const struct secret *authority)
{
    if (!authority->bytes)
        return true;
    struct secret base64;
    bool done = base64_encode(secret_slice(authority), &base64) &&
        yyjson_mut_obj_add_strcpy(document, cluster, "certificate-authority-data", base64.bytes);
    secret_free(&base64);
    return done;
}

static bool add_cluster_config(yyjson_mut_doc *document, yyjson_mut_val *cluster, const char *json)
{
    if (!json)
        return true;
    yyjson_doc *config = yyjson_read(json, strlen(json), YYJSON_READ_NOFLAG);
    yyjson_mut_val *copy = config ? yyjson_val_mut_copy(document, yyjson_doc_get_root(config)) : NULL;
    yyjson_doc_free(config);
    return copy && yyjson_mut_obj_add_val(document, cluster, "config", copy);
}

static bool add_cluster(
    yyjson_mut_doc *document, yyjson_mut_val *spec, const struct kube_config *config,
    const struct secret *authority)
{
    yyjson_mut_val *cluster = yyjson_mut_obj_add_obj(document, spec, "cluster");
    bool done = cluster && yyjson_mut_obj_add_str(document, cluster, "server", config->server);
    if (config->tls_server_name)
        done = done && yyjson_mut_obj_add_str(document, cluster, "tls-server-name", config->tls_server_name);
    if (config->insecure_skip_tls_verify)
        done = done && yyjson_mut_obj_add_bool(document, cluster, "insecure-skip-tls-verify", true);
    if (config->proxy_url)
        done = done && yyjson_mut_obj_add_str(document, cluster, "proxy-url", config->proxy_url);
    return done && add_authority(document, cluster, authority) &&
        add_cluster_config(document, cluster, config->exec.cluster_config);
}

char *kube_exec_info(const struct kube_config *config, const struct secret *authority, bool is_interactive)
{
    yyjson_mut_doc *document = yyjson_mut_doc_new(NULL);
    if (!document)
        return NULL;
    yyjson_mut_val *root = yyjson_mut_obj(document);
    yyjson_mut_doc_set_root(document, root);
    bool done = yyjson_mut_obj_add_str(document, root, "kind", "ExecCredential") &&
        yyjson_mut_obj_add_str(document, root, "apiVersion", config->exec.api_version);
    yyjson_mut_val *spec = done ? yyjson_mut_obj_add_obj(document, root, "spec") : NULL;
    done = spec && yyjson_mut_obj_add_bool(document, spec, "interactive", is_interactive);
    if (done && config->exec.provides_cluster)
        done = add_cluster(document, spec, config, authority);
    char *json = done ? yyjson_mut_write(document, YYJSON_WRITE_NOFLAG, NULL) : NULL;
    yyjson_mut_doc_free(document);
    return json;
}
