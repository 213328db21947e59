/*
 * kubeconfig_read.h: reads values of a kubeconfig, and refuses invalid ones with their line. Ignores unknown
 * keys, because other tools add their own.
 */
#ifndef APPLYGUARD_KUBE_KUBECONFIG_READ_H
#define APPLYGUARD_KUBE_KUBECONFIG_READ_H

#include "base/yaml.h"
#include "kube/config.h"

struct kubeconfig {
    const char *path; /* paths in it are relative to its folder; may be NULL */
    const struct yaml_node *root;
    struct arena *arena;
    struct kube_config *config; /* the target */
    struct error *error;
};

/* Fills the error with the node's position. Returns -1. */
int kubeconfig_refuse(struct kubeconfig *kubeconfig, const struct yaml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The value of a map's key. Returns NULL if it is absent or null. */
const struct yaml_node *kubeconfig_member(const struct yaml_node *map, const char *key);

/* If the key is absent, each leaves its target unchanged or empty. */

int kubeconfig_text(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, struct slice *text);
int kubeconfig_bool(struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, bool *value);
int kubeconfig_string(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, char **string);
int kubeconfig_secret(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, struct secret *secret);

/* Reads a path, relative to the kubeconfig's folder. */
int kubeconfig_path(struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *key, char **path);

/*
 * Reads base64 under one key, or the path of a file under another. The former takes precedence, as in
 * kubectl.
 */
int kubeconfig_material(
    struct kubeconfig *kubeconfig, const struct yaml_node *map, const char *data_key, const char *path_key,
    struct kube_material *material);

/* Finds the item with this name in a list, and returns its map under `inner`. */
int kubeconfig_find(
    struct kubeconfig *kubeconfig, const char *list, const char *inner, struct slice name,
    const struct yaml_node **found);

#endif
