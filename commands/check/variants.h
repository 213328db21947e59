/*
 * variants.h: files whose names say that one is a variant of the other, such as longhorn.yaml and
 * longhorn-okd.yaml, or nginx-ingress.yaml and nginx-plus-ingress.yaml.
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

#endif
