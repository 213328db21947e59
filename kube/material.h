/*
 * material.h: tokens, keys and certificates as they are now.
 */
#ifndef APPLYGUARD_KUBE_MATERIAL_H
#define APPLYGUARD_KUBE_MATERIAL_H

#include "kube/config.h"

/* Reads a whole file of at most KUBE_FILE_BYTES_MAX. Freed with secret_free. */
int kube_file_read(const char *path, struct secret *content, struct error *error);

/*
 * Brings `current` up to date: reads the material's file, or takes its content. `is_new` says whether that
 * made a difference. -1 leaves `current` as it was.
 */
int kube_material_read(
    const struct kube_material *material, struct secret *current, bool *is_new, struct error *error);

/* Whether nothing is given. */
bool kube_material_is_empty(const struct kube_material *material);

/* A token without blanks around it. False if it is empty, or holds what no HTTP header may. */
bool kube_token_trim(struct slice text, struct slice *token);

#endif
