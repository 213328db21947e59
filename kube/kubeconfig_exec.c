#include "kube/kubeconfig_read.h"

#include <stdio.h>
#include <stdlib.h>

/* Room for all items; how many there are is counted as they come. */
static int make_room(
    struct kubeconfig *kubeconfig, const struct yaml_node *exec, const char *key,
    struct kube_strings *strings, const struct yaml_node **list)
{
    *list = kubeconfig_member(exec, key);
    if (!*list)
        return 0;
    if ((*list)->kind != YAML_KIND_LIST)
        return kubeconfig_refuse(kubeconfig, *list, "\"%s\" must be a list", key);
    strings->items = (char **)calloc((*list)->count + 1, sizeof(*strings->items));
    return strings->items ? 0 : error_set(kubeconfig->error, "out of memory");
}

static int read_arguments(struct kubeconfig *kubeconfig, const struct yaml_node *exec)
{
    struct kube_strings *strings = &kubeconfig->config->exec.arguments;
    const struct yaml_node *list;
    if (make_room(kubeconfig, exec, "args", strings, &list) != 0)
        return -1;
    for (const struct yaml_entry *entry = list ? list->entries : NULL; entry; entry = entry->next) {
        struct slice text = entry->value->text;
        if (entry->value->kind != YAML_KIND_TEXT || slice_contains(text, '\0'))
            return kubeconfig_refuse(kubeconfig, entry->value, "an argument must be text");
        char *argument = text.length ? strndup(text.bytes, text.length) : strdup("");
        if (!argument)
            return error_set(kubeconfig->error, "out of memory");
        strings->items[strings->count++] = argument;
    }
    return 0;
}

static int read_environment(struct kubeconfig *kubeconfig, const struct yaml_node *exec)
{
    struct kube_strings *strings = &kubeconfig->config->exec.environment;
    const struct yaml_node *list;
    if (make_room(kubeconfig, exec, "env", strings, &list) != 0)
        return -1;
    for (const struct yaml_entry *entry = list ? list->entries : NULL; entry; entry = entry->next) {
        struct slice name, value;
        char *variable = NULL;
        if (kubeconfig_text(kubeconfig, entry->value, "name", &name) != 0 ||
            kubeconfig_text(kubeconfig, entry->value, "value", &value) != 0)
            return -1;
        if (name.length == 0 || slice_contains(name, '='))
            return kubeconfig_refuse(kubeconfig, entry->value, "a variable lacks a usable \"name\"");
        int length = asprintf(
            &variable, "%.*s=%.*s", (int)name.length, name.bytes, (int)value.length,
            value.bytes ? value.bytes : "");
        if (length < 0)
            return error_set(kubeconfig->error, "out of memory");
        strings->items[strings->count++] = variable;
    }
    return 0;
}

static int read_interaction(struct kubeconfig *kubeconfig, const struct yaml_node *exec)
{
    struct slice mode;
    enum kube_interaction *interaction = &kubeconfig->config->exec.interaction;
    if (kubeconfig_text(kubeconfig, exec, "interactiveMode", &mode) != 0)
        return -1;
    if (mode.length == 0 || slice_equal(mode, SLICE("IfAvailable")))
        *interaction = KUBE_INTERACTIVE_IF_AVAILABLE;
    else if (slice_equal(mode, SLICE("Never")))
        *interaction = KUBE_INTERACTIVE_NEVER;
    else if (slice_equal(mode, SLICE("Always")))
        *interaction = KUBE_INTERACTIVE_ALWAYS;
    else
        return kubeconfig_refuse(
            kubeconfig, kubeconfig_member(exec, "interactiveMode"),
            "\"interactiveMode\" must be Never, IfAvailable or Always");
    return 0;
}

static int read_version(struct kubeconfig *kubeconfig, const struct yaml_node *exec)
{
    struct slice version;
    if (kubeconfig_text(kubeconfig, exec, "apiVersion", &version) != 0)
        return -1;
    if (!slice_equal(version, SLICE("client.authentication.k8s.io/v1")) &&
        !slice_equal(version, SLICE("client.authentication.k8s.io/v1beta1"))) {
        const struct yaml_node *node = kubeconfig_member(exec, "apiVersion");
        return kubeconfig_refuse(
            kubeconfig, node ? node : exec,
            "\"apiVersion\" must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1");
    }
    return kubeconfig_string(kubeconfig, exec, "apiVersion", &kubeconfig->config->exec.api_version);
}

/* A bare name is looked for in PATH; with a slash it is a path like the others. */
static int read_command(struct kubeconfig *kubeconfig, const struct yaml_node *exec)
{
    struct slice command;
    char **target = &kubeconfig->config->exec.command;
    if (kubeconfig_text(kubeconfig, exec, "command", &command) != 0)
        return -1;
    if (command.length == 0)
        return kubeconfig_refuse(kubeconfig, exec, "\"exec\" lacks its \"command\"");
    if (slice_contains(command, '/'))
        return kubeconfig_path(kubeconfig, exec, "command", target);
    return kubeconfig_string(kubeconfig, exec, "command", target);
}

int kubeconfig_exec(struct kubeconfig *kubeconfig, const struct yaml_node *exec)
{
    struct kube_exec *target = &kubeconfig->config->exec;
    if (exec->kind != YAML_KIND_MAP)
        return kubeconfig_refuse(kubeconfig, exec, "\"exec\" must be a map");
    if (read_version(kubeconfig, exec) != 0 || read_command(kubeconfig, exec) != 0 ||
        read_arguments(kubeconfig, exec) != 0 || read_environment(kubeconfig, exec) != 0 ||
        read_interaction(kubeconfig, exec) != 0 ||
        kubeconfig_string(kubeconfig, exec, "installHint", &target->install_hint) != 0)
        return -1;
    return kubeconfig_bool(kubeconfig, exec, "provideClusterInfo", &target->provides_cluster);
}
