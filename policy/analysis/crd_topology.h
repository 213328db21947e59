/*
 * crd_topology.h: the parts of a CustomResourceDefinition's schemas by which the API server records owners:
 * whether a list or map is one value with one owner, or has items with owners of their own, and by which keys
 * (x-kubernetes-list-type, -list-map-keys, -map-type), and whether unknown fields stay
 * (x-kubernetes-preserve-unknown-fields).
 *
 * The owners on existing objects do not follow a change of these: "Compatibility across topology changes" in
 * Kubernetes' documentation of server-side apply.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_CRD_TOPOLOGY_H
#define APPLYGUARD_POLICY_ANALYSIS_CRD_TOPOLOGY_H

#include "base/arena.h"
#include "base/slice.h"
#include "manifest/manifest.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum topology_kind {
    TOPOLOGY_ATOMIC_LIST,
    TOPOLOGY_SET,
    TOPOLOGY_KEYED_LIST,
    TOPOLOGY_ATOMIC_MAP,
    TOPOLOGY_MAP,
    TOPOLOGY_UNTYPED,
};

struct topology_field {
    uint64_t path; /* a hash of it */
    enum topology_kind kind;
    bool keeps_unknown;
    struct slice keys; /* of a TOPOLOGY_KEYED_LIST, sorted: "name, protocol" */
};

struct crd_version {
    struct slice name;
    bool is_served;
    const struct topology_field *fields; /* sorted by `path` */
    size_t count;
};

struct crd_topology {
    const struct crd_version *versions;
    size_t count;
};

/* A field of which two schemas differ. Texts live in the arena of the comparison. */
struct topology_change {
    struct slice field;        /* in custom resources: .spec.rules[*].matches */
    struct slice schema_field; /* in the definition */
    const struct manifest_place *place;
    const struct topology_field *before;
    const struct topology_field *after;
};

typedef void topology_report(void *context, const struct topology_change *change);

/*
 * The topology of a CustomResourceDefinition, in memory of the arena. No versions for any other object.
 * Returns NULL if memory runs out.
 */
struct crd_topology *crd_topology_read(const struct manifest_object *object, struct arena *arena);

/* Returns NULL if memory runs out. */
struct crd_topology *crd_topology_copy(const struct crd_topology *topology, struct arena *arena);

/* Whether a version of both has a field whose topology differs. */
bool crd_topology_differs(const struct crd_topology *a, const struct crd_topology *b);

/* The place of the version of this name among those of the definition; SIZE_MAX: it has none. */
size_t crd_topology_index(const struct manifest_object *object, struct slice name);

/*
 * Reports each field of the version at `index` of the definition whose topology differs from that in
 * `before`. Parts of a list or map that is one value are not compared, nor are fields that one of the two
 * lacks.
 */
void crd_topology_compare(
    const struct crd_version *before, const struct manifest_object *object, size_t index,
    topology_report *report, void *context, struct arena *arena);

#endif
