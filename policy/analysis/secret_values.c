#include "policy/analysis/secret_values.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/base64.h"
#include "base/find.h"
#include "base/json_each.h"

#include <string.h>

/* By SOPS: the annotation does not show what it holds. */
static bool is_encrypted(struct slice value)
{
    return slice_starts_with(value, SLICE("ENC[AES256_GCM,"));
}

static bool is_between(struct slice value, struct slice start, struct slice end)
{
    return value.length >= start.length + end.length && slice_starts_with(value, start) &&
        slice_equal(slice_from(value, value.length - end.length), end);
}

/* <your password>, which a person is to replace; XML has more than one of these marks, or attributes. */
static bool is_marked_text(struct slice value)
{
    static const char others[] = "<>=\"\n";
    if (!is_between(value, SLICE("<"), SLICE(">")))
        return false;
    for (size_t i = 1; i + 1 < value.length; i++)
        if (strchr(others, value.bytes[i]))
            return false;
    return value.length > 2;
}

/* YOUR_TOKEN or UPDATE_AWS_KEY, which a person is to replace. */
static bool is_your_value(struct slice value)
{
    static const char *const starts[] = {"YOUR_", "UPDATE_", "REPLACE_", "CHANGE_"};
    for (size_t i = 0; i < value.length; i++)
        if (value.bytes[i] != '_' && !ascii_is_digit(value.bytes[i]) &&
            (value.bytes[i] < 'A' || value.bytes[i] > 'Z'))
            return false;
    for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
        if (slice_starts_with(value, slice_of(starts[i])))
            return true;
    return false;
}

/* A person, or another program before or after the apply, replaces it: Flux, a vault, a template. */
static bool is_placeholder(struct slice value)
{
    static const char *const starts[] = {"op://", "ref+", "vault:", "<path:"};
    for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
        if (slice_starts_with(value, slice_of(starts[i])))
            return true;
    if (slice_starts_with(value, SLICE("${")))
        return slice_find(value, '}') + 1 == value.length;
    return is_between(value, SLICE("{{"), SLICE("}}")) || is_marked_text(value) || is_your_value(value);
}

static bool contains(struct slice value, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (slice_contains_text(value, slice_of(words[i])))
            return true;
    return false;
}

/* A certificate or a public key, in PEM or the base64 of it, and no private key after it. */
static bool is_public(struct slice value)
{
    static const char *const starts[] = {
        "-----BEGIN CERTIFICATE-----",
        "-----BEGIN PUBLIC KEY-----",
        "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t",
        "LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS",
    };
    /* "PRIVATE", and the base64 of it after 0, 1 and 2 bytes; line breaks may split base64. */
    static const char *const private[] = {"PRIVATE", "UFJJVkFUR", "BSSVZBVE", "QUklWQVRF"};
    static const char *const broken[] = {"\n", "\r"};
    for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
        if (slice_starts_with(value, slice_of(starts[i])))
            return !contains(value, private, ARRAY_SIZE(private)) &&
                (value.bytes[0] == '-' || !contains(value, broken, ARRAY_SIZE(broken)));
    return false;
}

/* Keys of a repository or a cluster of Argo CD that hold no credentials. */
static bool is_setting_of_argocd(struct slice key)
{
    static const char *const keys[] = {
        "type",
        "url",
        "name",
        "project",
        "server",
        "namespaces",
        "clusterResources",
        "shard",
        "username",
        "insecure",
        "insecureIgnoreHostKey",
        "enableLfs",
        "enableOCI",
        "forceHttpBasicAuth",
        "useAzureWorkloadIdentity",
        "githubAppID",
        "githubAppInstallationID",
        "githubAppEnterpriseBaseUrl",
    };
    return slice_is_one_of(key, keys, ARRAY_SIZE(keys));
}

/* https://user:password@example.com */
static bool has_password(struct slice url)
{
    const struct slice rest = slice_from(url, slice_find_text(url, SLICE("://")) + strlen("://"));
    const struct slice host = slice_until(rest, slice_find(rest, '/'));
    const size_t at = slice_find(host, '@');
    return at < host.length && slice_find(host, ':') < at;
}

/* `data` or `stringData` of a Secret. */
struct values {
    yyjson_val *map;
    bool is_encoded; /* the values are base64 */
    bool is_of_argocd;
    struct arena *arena;
};

static bool is_setting(const struct values *of, struct slice key, struct slice value)
{
    return of->is_of_argocd && is_setting_of_argocd(key) && !has_password(value);
}

static bool is_secret(const struct values *of, struct slice key, struct slice text)
{
    if (is_encrypted(text) || is_placeholder(text) || is_public(text))
        return false;
    const struct slice value = of->is_encoded ? base64_decode(text, of->arena) : text;
    return !is_placeholder(value) && !is_setting(of, key, value);
}

/* An empty value leaks nothing: a program fills it in later. */
static bool have_secret(const struct values *of)
{
    json_each_key(key, of->map) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        const struct slice text = json_text(value);
        bool is_empty = yyjson_is_null(value) || (yyjson_is_str(value) && !text.length);
        if (!is_empty && is_secret(of, json_text(key), text))
            return true;
    }
    return false;
}

bool secret_has_values(yyjson_val *secret, struct arena *arena)
{
    yyjson_val *labels = json_member(json_member(secret, SLICE("metadata")), SLICE("labels"));
    bool is_of_argocd = json_member(labels, SLICE("argocd.argoproj.io/secret-type"));
    const struct values values[] = {
        {json_member(secret, SLICE("data")), true, is_of_argocd, arena},
        {json_member(secret, SLICE("stringData")), false, is_of_argocd, arena},
    };
    return have_secret(&values[0]) || have_secret(&values[1]);
}
