#include "kube/kubeconfig_read.h"

#include "base/text.h"
#include "certs/memory.h"
#include "certs/secret_base64.h"

#include <stdio.h>
#include <stdlib.h>

int kubeconfig_refuse(struct kubeconfig *kubeconfig, const struct yaml_node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error_set_list(kubeconfig->error, node->line, node->column, format, arguments);
    va_end(arguments);
    return -1;
}

const struct yaml_node *kubeconfig_member(const struct yaml_node *map, const char *key)
{
    const struct yaml_node *node = yaml_member(map, slice_of(key));
    return node && !node->null ? node : NULL;
}

int kubeconfig_text(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, struct slice *text)
{
    const struct yaml_node *node = kubeconfig_member(map, key);
    *text = (struct slice){0};
    if (!node)
        return 0;
    if (node->kind != YAML_KIND_TEXT)
        return kubeconfig_refuse(kubeconfig, node, "\"%s\" must be a single value", key);
    if (slice_contains(node->text, '\0'))
        return kubeconfig_refuse(kubeconfig, node, "\"%s\" holds a NUL character", key);
    *text = node->text;
    return 0;
}

int kubeconfig_bool(struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, bool *value)
{
    struct slice text;
    if (kubeconfig_text(kubeconfig, map, key, &text) != 0)
        return -1;
    *value = slice_equal(text, SLICE("true"));
    if (text.length == 0 || *value || slice_equal(text, SLICE("false")))
        return 0;
    return kubeconfig_refuse(kubeconfig, kubeconfig_member(map, key), "\"%s\" must be true or false", key);
}

int kubeconfig_string(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, char **string)
{
    struct slice text;
    if (kubeconfig_text(kubeconfig, map, key, &text) != 0)
        return -1;
    if (text.length == 0)
        return 0;
    *string = strndup(text.bytes, text.length);
    return *string ? 0 : error_set_out_of_memory(kubeconfig->error);
}

int kubeconfig_secret(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, struct secret *secret)
{
    struct slice text;
    if (kubeconfig_text(kubeconfig, map, key, &text) != 0)
        return -1;
    if (text.length == 0)
        return 0;
    *secret = secret_allocate(text.length);
    if (!secret->bytes)
        return error_set_out_of_memory(kubeconfig->error);
    memcpy(secret->bytes, text.bytes, text.length);
    return 0;
}

int kubeconfig_path(struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, char **path)
{
    const char *slash = kubeconfig->path ? strrchr(kubeconfig->path, '/') : NULL;
    char *name = NULL;
    if (kubeconfig_string(kubeconfig, map, key, &name) != 0)
        return -1;
    if (!name || name[0] == '/' || !slash) {
        *path = name;
        return 0;
    }
    int folder_length = (int)(slash - kubeconfig->path);
    int length = asprintf(path, "%.*s/%s", folder_length, kubeconfig->path, name);
    free(name);
    if (length >= 0)
        return 0;
    *path = NULL;
    return error_set_out_of_memory(kubeconfig->error);
}

int kubeconfig_material(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *data_key, const char *path_key,
    struct kube_material *material)
{
    struct slice text;
    size_t failures = memory_failures();
    if (kubeconfig_text(kubeconfig, map, data_key, &text) != 0)
        return -1;
    if (text.length == 0)
        return kubeconfig_path(kubeconfig, map, path_key, &material->path);
    if (secret_base64_decode(text, &material->content))
        return 0;
    if (memory_failures() != failures)
        return error_set_out_of_memory(kubeconfig->error);
    return kubeconfig_refuse(kubeconfig, kubeconfig_member(map, data_key), "\"%s\" must be base64", data_key);
}

/* How many names a sentence lists. */
#define SHOWN_NAMES_MAX 5

static void append_names(struct text *text, const struct yaml_node *items)
{
    size_t count = 0;
    for (const struct yaml_entry *entry = items->entries; entry; entry = entry->next) {
        const struct yaml_node *each = kubeconfig_member(entry->value, "name");
        if (!each || each->kind != YAML_KIND_TEXT || count++ >= SHOWN_NAMES_MAX)
            continue;
        text_append_all(text, count > 1 ? ", " : "; there are ", yaml_excerpt(text->arena, each->text));
    }
    if (count > SHOWN_NAMES_MAX)
        text_append_all(text, " and ", count - SHOWN_NAMES_MAX, " more");
}

static int not_found(
    struct kubeconfig *kubeconfig, const struct yaml_node *items, const char *inner, struct slice name)
{
    struct text there = text_start(kubeconfig->arena, 128);
    const char *wanted = yaml_excerpt(kubeconfig->arena, name);
    if (!items)
        return error_set(kubeconfig->error, "there is no %s \"%s\"", inner, wanted);
    append_names(&there, items);
    struct slice names = text_slice(&there);
    return kubeconfig_refuse(
        kubeconfig, items, "there is no %s \"%s\"%.*s", inner, wanted, (int)names.length,
        names.bytes ? names.bytes : "");
}

int kubeconfig_find(
    struct kubeconfig *kubeconfig, const char *list, const char *inner, struct slice name,
    const struct yaml_node **found)
{
    const struct yaml_node *items = kubeconfig_member(kubeconfig->root, list);
    *found = NULL;
    if (items && items->kind != YAML_KIND_LIST)
        return kubeconfig_refuse(kubeconfig, items, "\"%s\" must be a list", list);
    for (const struct yaml_entry *entry = items ? items->entries : NULL; entry; entry = entry->next) {
        struct slice each;
        if (kubeconfig_text(kubeconfig, entry->value, "name", &each) != 0)
            return -1;
        if (!slice_equal(each, name))
            continue;
        if (*found)
            return kubeconfig_refuse(
                kubeconfig, entry->value, "there are two %s of the name \"%s\"", list,
                yaml_excerpt(kubeconfig->arena, name));
        *found = kubeconfig_member(entry->value, inner);
        if (!*found || (*found)->kind != YAML_KIND_MAP)
            return kubeconfig_refuse(kubeconfig, entry->value, "\"%s\" must be a map", inner);
    }
    return *found ? 0 : not_found(kubeconfig, items, inner, name);
}
