/* kinds.h: facts about kinds that need no cluster. */
#ifndef APPLYGUARD_MANIFEST_KINDS_H
#define APPLYGUARD_MANIFEST_KINDS_H

#include "base/arena.h"
#include "base/slice.h"

enum kind_scope { KIND_UNKNOWN, KIND_NAMESPACED, KIND_CLUSTER };

/* Whether a kind is namespaced: known for the kinds of Kubernetes itself; unknown for others. */
enum kind_scope kind_scope_of(struct slice group, struct slice kind);

/* The group of an apiVersion: apps for apps/v1; empty for v1. */
struct slice group_of(struct slice api_version);

/* The version of an apiVersion: v1 for apps/v1. */
struct slice version_of(struct slice api_version);

/* Deployment.apps; ConfigMap for the core group. NULL bytes if memory runs out. */
struct slice group_kind_of(struct slice group, struct slice kind, struct arena *arena);

/*
 * The usual resource of a kind: networkpolicies for NetworkPolicy, gateways for Gateway. A custom resource
 * may have another one. NULL bytes if memory runs out.
 */
struct slice kind_resource_of(struct slice kind, struct arena *arena);

/* The kind with this short name in kubectl, in any case: Deployment for deploy. Empty: no kind has it. */
struct slice kind_of_short_name(struct slice name);

#endif
