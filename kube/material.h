/*
 * material.h: reads the current tokens, keys and certificates.
 */
#ifndef APPLYGUARD_KUBE_MATERIAL_H
#define APPLYGUARD_KUBE_MATERIAL_H

#include "kube/config.h"

/* Reads a file of at most KUBE_FILE_BYTES_MAX. Free the content with secret_free. */
int kube_file_read(const char *path, struct secret *content, struct error *error);

/* Reads a file, and waits for the writer of a pipe. */
int kube_file_await(const char *path, struct secret *content, struct error *error);

/*
 * Updates `current` from the material's file or content. Sets `is_new` if it has changed. If it returns -1,
 * leaves `current` unchanged.
 */
int kube_material_read(
    const struct kube_material *material, struct secret *current, bool *is_new, struct error *error);

/* Whether the material has neither content nor a path. */
bool kube_material_is_empty(const struct kube_material *material);

/*
 * Removes white space around a token. Returns false if it is empty, or contains other characters than
 * printable ASCII.
 */
bool kube_token_trim(struct slice text, struct slice *token);

#endif
