/*
 * object.h: an object's values, with the owners of each.
 *
 * The tree follows the object: a node for each member and each list item. FieldsV1 shows without a schema
 * which of them are fields, because a manager owns them or could own them: leaves, list items, and lists and
 * maps that managers own as a whole. A field has all its owners, in the order of managedFields.
 */
#ifndef APPLYGUARD_OWNERS_OBJECT_H
#define APPLYGUARD_OWNERS_OBJECT_H

#include "base/arena.h"
#include "policy/fieldset/path.h"
#include "policy/review/managed_fields.h"

#include <stdbool.h>
#include <stddef.h>

/* An entry that owns something at a node, or below it. */
struct blame_holder {
    const struct managed_fields_entry *entry;
    yyjson_val *fields; /* the part of its set at this node */
    bool is_owner;      /* it owns the node itself */
    bool is_leaf;       /* and nothing inside it */
};

/* Why a field is as it is; several reasons may apply. */
struct blame_marks {
    bool is_tracked;   /* false if managedFields never lists its owner, such as for the name */
    bool is_declared;  /* the last-applied annotation declares it */
    bool is_stuck;     /* no apply removes it */
    bool is_held;      /* people or scripts own it together with a server-side applier */
    bool is_other;     /* the last-applied annotation declares another value */
    bool is_set_back;  /* the next client-side apply sets that value */
    bool is_contested; /* appliers will set it back, each to its own value */
};

struct blame_node {
    struct path path;                /* unused in the root: see blame_path */
    const struct blame_node *parent; /* NULL for the root */
    struct slice name;               /* of a member; items have none */
    bool is_item;
    bool is_field;  /* it has owners, or is shown as "nobody" */
    bool is_inside; /* a part of a larger field, which is owned as a whole */
    bool is_hidden; /* a value of a Secret: never print it */
    yyjson_val *value;
    struct blame_node *children; /* of a list or map, in its order */
    size_t child_count;
    struct blame_holder *holders; /* in the order of managedFields */
    size_t holder_count;
    struct blame_marks marks;
    struct field_history *history; /* NULL if no change is known; see history.h */
    struct blame_node *changed;    /* the next node that has a history */
};

/* A field that an entry owns, and that the object does not have. */
struct blame_absent {
    struct blame_absent *next;
    const struct managed_fields_entry *entry;
    struct slice path; /* printable */
};

struct blame {
    struct blame_node root;
    struct slice kind;
    struct slice namespace;
    struct slice name;
    const struct review *review; /* it has the classes of managers */
    const struct managed_fields *managed_fields;
    struct blame_absent *absent;
    size_t field_count;
    bool is_secret;
    const struct history *history; /* NULL if no audit log was given */
    struct blame_node *changed;    /* the first node that has a history of changes; NULL if no node has one */
    struct arena *arena;
};

/* The member of a map with this name, or NULL. The members are sorted by name. */
struct blame_node *blame_child(const struct blame_node *map, struct slice name);

/* The path of a node, for printing; NULL for the root. */
const struct path *blame_path(const struct blame_node *node);

/* The next owner of the node after `last` (Returns NULL after the first). NULL: the last one. */
const struct blame_holder *blame_next_owner(const struct blame_node *node, const struct blame_holder *last);

/* Whether an entry of this manager owns the node itself. */
bool blame_is_owned_by(const struct blame_node *node, struct slice manager);

/* Whether an entry of the object has this manager. */
bool blame_has_manager(const struct blame *blame, struct slice manager);

#endif
