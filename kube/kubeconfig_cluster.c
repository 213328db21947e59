#include "kube/kubeconfig_read.h"

#include "manifest/number.h"
#include "manifest/resolve.h"
#include "manifest/write.h"

#include <math.h>
#include <stdlib.h>

/* client-go, clientcmd: the name of the cluster's extension that exec plugins are told. */
#define EXTENSION "client.authentication.k8s.io/exec"

static int append_scalar(struct kubeconfig *kubeconfig, struct text *text, const struct yaml_node *node)
{
    struct resolved resolved;
    const char *problem = NULL;
    bool is_plain = !node->quoted &&
        resolve_scalar((struct slice){"", 0}, true, node->text, text->arena, &resolved, &problem);
    if (node->null)
        text_append_string(text, "null");
    else if (is_plain && resolved.kind == RESOLVED_BOOL)
        text_append_string(text, resolved.boolean ? "true" : "false");
    else if (is_plain && resolved.kind == RESOLVED_INT)
        text_append_integer(text, resolved.integer);
    else if (is_plain && resolved.kind == RESOLVED_NATURAL)
        text_append_number(text, resolved.natural);
    else if (is_plain && resolved.kind == RESOLVED_REAL && !isfinite(resolved.real))
        return kubeconfig_refuse(kubeconfig, node, "infinity and NaN have no form in JSON");
    else if (is_plain && resolved.kind == RESOLVED_REAL)
        number_append(text, resolved.real);
    else
        manifest_append_string(text, node->text);
    return 0;
}

/* As JSON. Recurses as deep as YAML_DEPTH_MAX. */
static int append_node(struct kubeconfig *kubeconfig, struct text *text, const struct yaml_node *node)
{
    bool is_map = node->kind == YAML_KIND_MAP;
    if (node->kind == YAML_KIND_TEXT)
        return append_scalar(kubeconfig, text, node);
    text_append_string(text, is_map ? "{" : "[");
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        text_append_string(text, entry == node->entries ? "" : ",");
        if (is_map) {
            manifest_append_string(text, entry->key->text);
            text_append_string(text, ":");
        }
        if (append_node(kubeconfig, text, entry->value) != 0)
            return -1;
    }
    text_append_string(text, is_map ? "}" : "]");
    return 0;
}

static int keep(struct kubeconfig *kubeconfig, const struct yaml_node *extension)
{
    struct text text = text_start(kubeconfig->arena, 256);
    if (append_node(kubeconfig, &text, extension) != 0)
        return -1;
    struct slice json = text_slice(&text);
    char **config = &kubeconfig->config->exec.cluster_config;
    free(*config);
    *config = json.bytes ? strndup(json.bytes, json.length) : NULL;
    return *config ? 0 : error_set(kubeconfig->error, "out of memory");
}

int kubeconfig_exec_cluster(struct kubeconfig *kubeconfig, const struct yaml_node *cluster)
{
    const struct yaml_node *list = kubeconfig_member(cluster, "extensions");
    if (!list || list->kind != YAML_KIND_LIST)
        return 0;
    for (const struct yaml_entry *entry = list->entries; entry; entry = entry->next) {
        const struct yaml_node *name = kubeconfig_member(entry->value, "name");
        const struct yaml_node *extension = kubeconfig_member(entry->value, "extension");
        if (name && name->kind == YAML_KIND_TEXT && extension && slice_equal(name->text, SLICE(EXTENSION)))
            return keep(kubeconfig, extension);
    }
    return 0;
}
