#include "kube/kubeconfig_read.h"

#include <stdio.h>
#include <stdlib.h>

/* Of names of headers (RFC 9110, token). The API server takes them in lower case. */
#define HEADER_NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$&'*+-.^_`|~"

/* libcurl leaves out a header whose value is blank: the request would be made as oneself. */
static bool is_header_value(struct slice text)
{
    for (size_t i = 0; i < text.length; i++)
        if ((unsigned char)text.bytes[i] < 0x20 || text.bytes[i] == 0x7f)
            return false;
    return slice_trim(text).length > 0;
}

static int add_line(struct kube_strings *lines, char *line, struct error *error)
{
    char **items = line ? realloc(lines->items, (lines->count + 1) * sizeof(*items)) : NULL;
    if (!items) {
        free(line);
        return error_set(error, "out of memory");
    }
    lines->items = items;
    items[lines->count++] = line;
    return 0;
}

static int add(struct kube_config *config, const char *name, struct slice value, struct error *error)
{
    char *line = NULL;
    if (!is_header_value(value))
        return error_set(error, "whom to act as is blank, or holds a control character");
    if (asprintf(&line, "%s: %.*s", name, (int)value.length, value.bytes) < 0)
        line = NULL;
    return add_line(&config->impersonation, line, error);
}

int kube_config_impersonate(
    struct kube_config *config, const struct kube_impersonation *impersonation, struct error *error)
{
    for (size_t i = 0; i < config->impersonation.count; i++)
        free(config->impersonation.items[i]);
    config->impersonation.count = 0;
    if (!impersonation->user)
        return error_set(error, "a group or UID to act as needs a user to act as");
    if (add(config, "Impersonate-User", slice_of(impersonation->user), error) != 0 ||
        (impersonation->uid && add(config, "Impersonate-Uid", slice_of(impersonation->uid), error) != 0))
        return -1;
    for (size_t i = 0; i < impersonation->group_count; i++)
        if (add(config, "Impersonate-Group", slice_of(impersonation->groups[i]), error) != 0)
            return -1;
    return 0;
}

static int add_node(struct kubeconfig *kubeconfig, const char *name, const struct yaml_node *value)
{
    if (value->kind != YAML_KIND_TEXT || !is_header_value(value->text))
        return kubeconfig_refuse(
            kubeconfig, value, "whom to act as must be text, neither blank nor with control characters");
    return add(kubeconfig->config, name, value->text, kubeconfig->error);
}

static int add_list(struct kubeconfig *kubeconfig, const char *name, const struct yaml_node *list)
{
    if (list->kind != YAML_KIND_LIST)
        return kubeconfig_refuse(kubeconfig, list, "whom to act as must be a list here");
    for (const struct yaml_entry *entry = list->entries; entry; entry = entry->next)
        if (add_node(kubeconfig, name, entry->value) != 0)
            return -1;
    return 0;
}

/* Escapes what no name of a header may hold (client-go, transport: headerKeyEscape). */
static bool name_extra(struct slice key, char *name, size_t capacity)
{
    size_t length = (size_t)snprintf(name, capacity, "Impersonate-Extra-");
    for (size_t i = 0; i < key.length; i++) {
        if (capacity - length < 4)
            return false;
        bool is_plain = key.bytes[i] && strchr(HEADER_NAME_CHARACTERS, key.bytes[i]);
        length += (size_t)snprintf(
            name + length, capacity - length, is_plain ? "%c" : "%%%02X", (unsigned char)key.bytes[i]);
    }
    return true;
}

static int add_extra(struct kubeconfig *kubeconfig, const struct yaml_node *map)
{
    char name[1024];
    if (map->kind != YAML_KIND_MAP)
        return kubeconfig_refuse(kubeconfig, map, "\"as-user-extra\" must be a map");
    for (const struct yaml_entry *entry = map->entries; entry; entry = entry->next) {
        if (!name_extra(entry->key->text, name, sizeof(name)))
            return kubeconfig_refuse(kubeconfig, entry->key, "this key is too long for a header");
        if (add_list(kubeconfig, name, entry->value) != 0)
            return -1;
    }
    return 0;
}

int kubeconfig_impersonation(struct kubeconfig *kubeconfig, const struct yaml_node *user)
{
    const struct yaml_node *as = kubeconfig_member(user, "as"), *uid = kubeconfig_member(user, "as-uid"),
                           *groups = kubeconfig_member(user, "as-groups"),
                           *extra = kubeconfig_member(user, "as-user-extra");
    const struct yaml_node *other = uid ? uid : groups ? groups : extra;
    if (!as && other)
        return kubeconfig_refuse(
            kubeconfig, other, "the user acts as a group or UID, but as no user: add \"as\"");
    if ((as && add_node(kubeconfig, "Impersonate-User", as) != 0) ||
        (uid && add_node(kubeconfig, "Impersonate-Uid", uid) != 0) ||
        (groups && add_list(kubeconfig, "Impersonate-Group", groups) != 0))
        return -1;
    return extra ? add_extra(kubeconfig, extra) : 0;
}
