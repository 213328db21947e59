#include "base/array_size.h"
#include "base/ascii.h"
#include "base/text.h"
#include "kube/config.h"
#include "kube/kubeconfig_read.h"
#include "kube/material.h"
#include "kube/printable.h"

#include "certs/bundle.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <strings.h>

/* The characters of names and addresses. */
#define SERVER_NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:"

/*
 * Clusters
 */

/* Whether the URL has that part. `code` shows if memory ran out. */
static bool has_part(CURLU *url, CURLUPart part, CURLUcode *code)
{
    char *text = NULL;
    CURLUcode result = curl_url_get(url, part, &text, 0);
    curl_free(text);
    if (result == CURLUE_OUT_OF_MEMORY)
        *code = result;
    return result == CURLUE_OK;
}

/* Whether two slashes and a host follow: libcurl accepts one slash or three, too. */
static bool begins_with_host(const char *text)
{
    size_t scheme = strncasecmp(text, "https://", 8) == 0 ? 8 : strncasecmp(text, "http://", 7) == 0 ? 7 : 0;
    return scheme && text[scheme] != '/';
}

/* Also refuses a URL with credentials, because they would appear in messages. */
static const char *problem_of_url(const char *text)
{
    const char *problem = NULL;
    CURLU *url = curl_url();
    CURLUcode code = url ? curl_url_set(url, CURLUPART_URL, text, 0) : CURLUE_OUT_OF_MEMORY;
    if (code != CURLUE_OK)
        problem = "is not a URL such as https://10.0.0.1:6443";
    else if (!text_is_printable(slice_of(text)))
        problem = "holds a character that cannot be printed; take it out";
    else if (!begins_with_host(text))
        problem = "begins neither with https://HOST nor with http://HOST";
    else if (has_part(url, CURLUPART_USER, &code))
        problem = "holds a user name; take it out";
    else if (has_part(url, CURLUPART_QUERY, &code) || has_part(url, CURLUPART_FRAGMENT, &code))
        problem = "holds a query or a fragment; take it out";
    curl_url_cleanup(url);
    return code == CURLUE_OUT_OF_MEMORY ? "cannot be read: out of memory" : problem;
}

/* HOST:PORT alone means https, as in kubectl. */
static int read_server(struct kubeconfig *kubeconfig, const struct yaml_node *cluster)
{
    struct kube_config *config = kubeconfig->config;
    if (kubeconfig_string(kubeconfig, cluster, "server", &config->server) != 0)
        return -1;
    if (!config->server)
        return kubeconfig_refuse(kubeconfig, cluster, "this cluster lacks its \"server\"");
    if (!strstr(config->server, "://")) {
        char *with_scheme = NULL;
        if (asprintf(&with_scheme, "https://%s", config->server) < 0)
            return error_set_out_of_memory(kubeconfig->error);
        free(config->server);
        config->server = with_scheme;
    }
    const char *problem = problem_of_url(config->server);
    if (problem)
        return kubeconfig_refuse(kubeconfig, kubeconfig_member(cluster, "server"), "\"server\" %s", problem);
    for (size_t length = strlen(config->server); config->server[length - 1] == '/'; length--)
        config->server[length - 1] = '\0';
    for (char *scheme = config->server; *scheme != ':'; scheme++)
        *scheme = ascii_to_lower(*scheme);
    return 0;
}

static int check_certificates(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key,
    const struct kube_material *material)
{
    struct error problem = {0};
    if (!material->content.bytes)
        return 0;
    STACK_OF(X509) *certificates = bundle_parse(secret_slice(&material->content), &problem);
    if (!certificates)
        return kubeconfig_refuse(kubeconfig, kubeconfig_member(map, key), "\"%s\": %s", key, problem.message);
    bundle_free(certificates);
    return 0;
}

static int read_trust(struct kubeconfig *kubeconfig, const struct yaml_node *cluster)
{
    struct kube_config *config = kubeconfig->config;
    const char *const skip = "insecure-skip-tls-verify";
    if (kubeconfig_material(
            kubeconfig, cluster, "certificate-authority-data", "certificate-authority", &config->ca) != 0 ||
        check_certificates(kubeconfig, cluster, "certificate-authority-data", &config->ca) != 0 ||
        kubeconfig_bool(kubeconfig, cluster, skip, &config->insecure_skip_tls_verify) != 0)
        return -1;
    if (config->insecure_skip_tls_verify && (config->ca.content.bytes || config->ca.path))
        return kubeconfig_refuse(
            kubeconfig, kubeconfig_member(cluster, skip),
            "the cluster has a certificate authority and insecure-skip-tls-verify; take one out");
    return 0;
}

static int read_proxy(struct kubeconfig *kubeconfig, const struct yaml_node *cluster)
{
    struct kube_config *config = kubeconfig->config;
    if (kubeconfig_string(kubeconfig, cluster, "proxy-url", &config->proxy_url) != 0)
        return -1;
    static const char *const schemes[] = {"http://", "https://", "socks5://", "socks5h://"};
    for (size_t i = 0; config->proxy_url && i < ARRAY_SIZE(schemes); i++)
        if (strncmp(config->proxy_url, schemes[i], strlen(schemes[i])) == 0)
            return 0;
    if (!config->proxy_url)
        return 0;
    return kubeconfig_refuse(
        kubeconfig, kubeconfig_member(cluster, "proxy-url"),
        "\"proxy-url\" begins with none of http://, https:// and socks5://");
}

/* The name becomes part of a URL. Without TLS it is ignored, as in client-go. */
static int read_server_name(struct kubeconfig *kubeconfig, const struct yaml_node *cluster)
{
    char **name = &kubeconfig->config->tls_server_name;
    if (strncmp(kubeconfig->config->server, "http://", 7) == 0)
        return 0;
    if (kubeconfig_string(kubeconfig, cluster, "tls-server-name", name) != 0)
        return -1;
    size_t length = *name ? strlen(*name) : 0;
    if (length == (*name ? strspn(*name, SERVER_NAME_CHARACTERS) : 0))
        return 0;
    return kubeconfig_refuse(
        kubeconfig, kubeconfig_member(cluster, "tls-server-name"), "\"tls-server-name\" is not a host name");
}

static int read_cluster(struct kubeconfig *kubeconfig, const struct yaml_node *cluster)
{
    if (read_server(kubeconfig, cluster) != 0 || read_trust(kubeconfig, cluster) != 0 ||
        read_proxy(kubeconfig, cluster) != 0)
        return -1;
    return read_server_name(kubeconfig, cluster);
}

/*
 * Users
 */

static int check_key(struct kubeconfig *kubeconfig, const struct yaml_node *user)
{
    struct error problem = {0};
    const struct secret *content = &kubeconfig->config->key.content;
    if (!content->bytes)
        return 0;
    EVP_PKEY *key = key_parse(secret_slice(content), &problem);
    if (!key)
        return kubeconfig_refuse(
            kubeconfig, kubeconfig_member(user, "client-key-data"), "\"client-key-data\": %s",
            problem.message);
    EVP_PKEY_free(key);
    return 0;
}

static int read_pair(struct kubeconfig *kubeconfig, const struct yaml_node *user)
{
    struct kube_config *config = kubeconfig->config;
    if (kubeconfig_material(
            kubeconfig, user, "client-certificate-data", "client-certificate", &config->certificate) != 0 ||
        check_certificates(kubeconfig, user, "client-certificate-data", &config->certificate) != 0 ||
        kubeconfig_material(kubeconfig, user, "client-key-data", "client-key", &config->key) != 0 ||
        check_key(kubeconfig, user) != 0)
        return -1;
    bool has_certificate = config->certificate.content.bytes || config->certificate.path;
    bool has_key = config->key.content.bytes || config->key.path;
    if (has_certificate == has_key)
        return 0;
    return kubeconfig_refuse(
        kubeconfig, user, "the user has a client %s without its %s", has_key ? "key" : "certificate",
        has_key ? "certificate" : "key");
}

/* If a user has a token and a token file, kubectl takes the file, which is renewed. */
static int read_token(struct kubeconfig *kubeconfig, const struct yaml_node *user)
{
    struct kube_material *token = &kubeconfig->config->token;
    if (kubeconfig_path(kubeconfig, user, "tokenFile", &token->path) != 0)
        return -1;
    if (token->path)
        return 0;
    return kubeconfig_secret(kubeconfig, user, "token", &token->content);
}

/* Refuses settings that would silently give other rights, or none. */
static int refuse_others(struct kubeconfig *kubeconfig, const struct yaml_node *user)
{
    static const struct {
        const char *key;
        const char *advice;
    } refused[] = {
        {"exec", "a program that provides credentials is not run here; use a token or a client certificate"},
        {"as", "acting as another user is not done here; take it out"},
        {"as-uid", "acting as another user is not done here; take it out"},
        {"as-groups", "acting as another user is not done here; take it out"},
        {"as-user-extra", "acting as another user is not done here; take it out"},
        {"auth-provider", "auth-provider was removed from Kubernetes; use a token or a client certificate"},
        {"username", "no API server takes a user name and a password; use a token or a certificate"},
        {"password", "no API server takes a user name and a password; use a token or a certificate"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
        const struct yaml_node *node = kubeconfig_member(user, refused[i].key);
        if (node)
            return kubeconfig_refuse(kubeconfig, node, "%s", refused[i].advice);
    }
    return 0;
}

static int read_user(struct kubeconfig *kubeconfig, const struct yaml_node *user)
{
    if (refuse_others(kubeconfig, user) != 0 || read_token(kubeconfig, user) != 0)
        return -1;
    return read_pair(kubeconfig, user);
}

/*
 * The whole file
 */

static int read_context(struct kubeconfig *kubeconfig, struct slice name)
{
    const struct yaml_node *context, *cluster, *user;
    struct slice cluster_name, user_name;
    if (kubeconfig_find(kubeconfig, "contexts", "context", name, &context) != 0 ||
        kubeconfig_text(kubeconfig, context, "cluster", &cluster_name) != 0 ||
        kubeconfig_text(kubeconfig, context, "user", &user_name) != 0 ||
        kubeconfig_string(kubeconfig, context, "namespace", &kubeconfig->config->namespace) != 0)
        return -1;
    if (cluster_name.length == 0)
        return kubeconfig_refuse(kubeconfig, context, "this context lacks its \"cluster\"");
    if (kubeconfig_find(kubeconfig, "clusters", "cluster", cluster_name, &cluster) != 0 ||
        read_cluster(kubeconfig, cluster) != 0)
        return -1;
    if (user_name.length == 0)
        return 0;
    if (kubeconfig_find(kubeconfig, "users", "user", user_name, &user) != 0)
        return -1;
    return read_user(kubeconfig, user);
}

static int check_file(struct kubeconfig *kubeconfig)
{
    const struct yaml_node *root = kubeconfig->root;
    struct slice kind;
    if (root->kind != YAML_KIND_MAP)
        return kubeconfig_refuse(kubeconfig, root, "this is not a kubeconfig");
    if (kubeconfig_text(kubeconfig, root, "kind", &kind) != 0)
        return -1;
    if (kind.length && !slice_equal(kind, SLICE("Config")))
        return kubeconfig_refuse(
            kubeconfig, kubeconfig_member(root, "kind"), "this is not a kubeconfig: its kind is not Config");
    return 0;
}

static int read_root(struct kubeconfig *kubeconfig, const char *context)
{
    struct slice name = slice_of_optional(context);
    if (check_file(kubeconfig) != 0 ||
        (!name.length && kubeconfig_text(kubeconfig, kubeconfig->root, "current-context", &name) != 0))
        return -1;
    if (name.length == 0)
        return error_set(kubeconfig->error, "it has no current-context; name the context to take");
    return read_context(kubeconfig, name);
}

int kube_config_read(
    struct kube_config *config, struct slice yaml, const char *path, const char *context, struct error *error)
{
    *config = (struct kube_config){0};
    struct arena *arena = arena_create();
    if (!arena)
        return error_set_out_of_memory(error);
    struct kubeconfig kubeconfig = {path, yaml_read(yaml, arena, error), arena, config, error};
    int result = kubeconfig.root ? read_root(&kubeconfig, context) : -1;
    arena_destroy(arena);
    if (result != 0)
        kube_config_release(config);
    return result;
}

/* Cuts a long path, so that the message has space for the problem. */
static int problem_in(const char *path, const struct error *problem, struct error *error)
{
    struct kube_printable name = kube_printable(slice_of(path));
    if (problem->line)
        return error_set(error, "%s:%u:%u: %s", name.text, problem->line, problem->column, problem->message);
    return error_set(error, "%s: %s", name.text, problem->message);
}

typedef int read_whole(const char *path, struct secret *content, struct error *error);

static int read_file(
    read_whole *read, struct kube_config *config, const char *path, const char *context, struct error *error)
{
    struct secret content;
    struct error problem = {0};
    if (read(path, &content, &problem) != 0)
        return error_set(error, "%s", problem.message);
    int result = kube_config_read(config, secret_slice(&content), path, context, &problem);
    secret_free(&content);
    return result == 0 ? 0 : problem_in(path, &problem, error);
}

int kube_config_read_file(
    struct kube_config *config, const char *path, const char *context, struct error *error)
{
    return read_file(kube_file_read, config, path, context, error);
}

int kube_config_await_file(
    struct kube_config *config, const char *path, const char *context, struct error *error)
{
    return read_file(kube_file_await, config, path, context, error);
}
