/*
 * kubeconfig_read.h: the values of a kubeconfig, each refused with its line where it is not what it should
 * be. What nobody asks for is passed over: other tools put keys of their own into the file.
 */
#ifndef APPLYGUARD_KUBE_KUBECONFIG_READ_H
#define APPLYGUARD_KUBE_KUBECONFIG_READ_H

#include "base/yaml.h"
#include "kube/config.h"

struct kubeconfig {
    const struct yaml_node *root;
    const char *path; /* of the file; may be NULL */
    struct arena *arena;
    struct kube_config *config; /* what is being filled */
    struct error *error;
};

/* Fills the error with the node's place. Returns -1. */
int kubeconfig_refuse(struct kubeconfig *kubeconfig, const struct yaml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The value of a map's key; NULL if it is not there, or nothing is. */
const struct yaml_node *kubeconfig_member(const struct yaml_node *map, const char *key);

/* Each leaves its target alone, or empty, where the key is not there. */

int kubeconfig_text(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, struct slice *text);
int kubeconfig_bool(struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, bool *value);
int kubeconfig_string(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, char **string);
int kubeconfig_secret(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, struct secret *secret);

/* A path that is relative to the kubeconfig's folder. */
int kubeconfig_path(struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, char **path);

/* Base64 under one key, or the path of a file under another. Both: the former, as kubectl has it. */
int kubeconfig_material(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *data_key, const char *path_key,
    struct kube_material *material);

/* The map under `inner` of the one item that is named so in a list of the file. */
int kubeconfig_find(
    struct kubeconfig *kubeconfig, const char *list, const char *inner, struct slice name,
    const struct yaml_node **found);

/* A user's "exec", into the config's. */
int kubeconfig_exec(struct kubeconfig *kubeconfig, const struct yaml_node *exec);

#endif
