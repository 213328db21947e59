/*
 * variants.h: files whose names say that one is a variant of the other, such as longhorn.yaml and
 * longhorn-okd.yaml, or nginx-ingress.yaml and nginx-plus-ingress.yaml, or that both are variants, such as
 * policy-allow.yaml and policy-deny.yaml.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_VARIANTS_H
#define APPLYGUARD_COMMANDS_CHECK_VARIANTS_H

#include "base/slice.h"

#include <stdbool.h>

/*
 * Whether the name of one file has all words of the other's, in their order, and more. Words such as `old`
 * and `copy`, and numbers, do not make a variant: one of the two files is left over.
 */
bool files_are_variants(struct slice path, struct slice other);

/*
 * Whether the names share a word, and each has words of its own. These must not be words of the object that
 * both files have: orders-config.yaml may be a copy of cart-config.yaml that forgot to change the name cart,
 * and web-service.yaml may repeat what belongs into web-deployment.yaml.
 */
bool files_are_siblings(
    struct slice path, struct slice other, struct slice group_kind, struct slice object_name);

#endif
