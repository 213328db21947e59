/*
 * facts.h: the facts of a cluster's objects that only count together: autoscalers and their targets,
 * ApplySets and their members. Private to commands/scan/.
 *
 * A few hundred bytes are kept of such an object, and nothing of others.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_FACTS_H
#define APPLYGUARD_COMMANDS_SCAN_FACTS_H

#include "base/name_table.h"
#include "policy/analysis/stored_object.h"
#include "policy/review/review.h"

/* An object to which other objects may matter. */
struct scan_related {
    struct slice key; /* apiVersion, kind, namespace and name, each with a NUL behind it */
    bool has_declarer;
    struct manager declarer; /* the applier that declares the replicas */
    struct slice apply_set;  /* the ID of the set that it is a member of; empty: none */
};

/* The parts of such a key. */
struct scan_related_object {
    struct slice api_version, kind, namespace, name;
};

struct scan_facts {
    struct arena *arena;
    struct name_table autoscalers; /* by target */
    struct name_table parents;     /* by the ID of their ApplySet */
    struct name_table objects;     /* struct scan_related */
    bool is_complete;              /* all objects of the cluster were read */
};

/* Returns false if memory runs out. */
bool scan_facts_start(struct scan_facts *facts);
void scan_facts_release(struct scan_facts *facts);

/* Keeps the facts about an object. Returns false if memory runs out. */
bool scan_facts_add(struct scan_facts *facts, const struct review *review);

/* The parts, each with a NUL behind it. `bytes` is NULL if memory runs out. */
struct slice scan_key(const struct slice *parts, size_t count, struct arena *arena);

/* `key` is that of a struct scan_related. */
struct scan_related_object scan_related_object(struct slice key);

/*
 * The facts about this object that other objects show. False: nothing that a rule would find. `stored` points
 * into the facts and the arena.
 */
bool scan_facts_find(
    const struct scan_facts *facts, const struct scan_related *related, struct arena *arena,
    struct stored_object *stored);

#endif
