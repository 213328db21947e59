/*
 * limits.h: the limits of one document.
 *
 * kubectl has other limits (10,000 levels, a share of aliases), and the API server accepts requests of 3 MiB.
 * These limits keep the memory of a run flat, for any input.
 */
#ifndef APPLYGUARD_MANIFEST_LIMITS_H
#define APPLYGUARD_MANIFEST_LIMITS_H

#include <stddef.h>

/* The bytes of one document, as UTF-8. A List of all objects of a cluster can be large. */
#define MANIFEST_DOCUMENT_BYTES_MAX ((size_t)32 * 1024 * 1024)

/* Its values and keys, with all aliases expanded. */
#define MANIFEST_NODES_MAX ((size_t)1024 * 1024)

/* The bytes of its texts, with all aliases expanded. */
#define MANIFEST_TEXT_BYTES_MAX ((size_t)32 * 1024 * 1024)

/* Its levels of lists and maps. Recursion over a document takes less than 1 KiB of stack for each level. */
#define MANIFEST_DEPTH_MAX 200

/* Its anchors: each alias is compared with them one by one. */
#define MANIFEST_ANCHORS_MAX 512

/* The limit of its waivers: people write fewer. */
#define MANIFEST_WAIVERS_MAX 1000

struct manifest_limits {
    size_t document_bytes;
    size_t nodes;
    size_t text_bytes;
};

static inline struct manifest_limits manifest_default_limits(void)
{
    return (struct manifest_limits){MANIFEST_DOCUMENT_BYTES_MAX, MANIFEST_NODES_MAX, MANIFEST_TEXT_BYTES_MAX};
}

#endif
