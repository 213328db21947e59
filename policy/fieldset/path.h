/*
 * path.h: paths of fields, and the path patterns of policy files.
 *
 * A path is a chain of elements from a field up to the object's root. It is printed as the API server prints
 * it in its 409 answers (structured-merge-diff, fieldpath/element.go):
 * .spec.template.spec.containers[name="nginx"].ports[containerPort=80,protocol="TCP"], set items as [="x"].
 *
 * A pattern is such a path in which [*] matches any one element. It covers the field that it names and
 * everything below: .metadata.annotations[*] covers each annotation, .spec.template covers the whole
 * template.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_PATH_H
#define APPLYGUARD_POLICY_FIELDSET_PATH_H

#include "base/arena.h"
#include "base/slice.h"
#include "base/text.h"

#include <stdbool.h>
#include <yyjson.h>

enum path_kind {
    PATH_FIELD, /* a member of an object: `text` is its name */
    PATH_KEY,   /* a list item by its key fields: `json` is an object that has them */
    PATH_VALUE, /* an item of a set: `json` is the item */
    PATH_INDEX, /* a list item by position: `text` is the number */
};

/* The limits of a printed name or key, and of a printed path. Names of API types are far shorter. */
#define PATH_NAME_BYTES_MAX 256
#define PATH_BYTES_MAX 2048

/* One element. It lives on the stack of the walking function. The root is NULL. */
struct path {
    const struct path *parent;
    unsigned depth; /* 1 for a child of the root */
    enum path_kind kind;
    struct slice text;
    yyjson_val *json;
    /* PATH_KEY: which members of `json` are key fields. NULL: all of them. */
    const struct slice_list *key_names;
};

/* An element below `parent`, which may be NULL: the caller sets its kind and its text. */
static inline struct path path_below(const struct path *parent)
{
    return (struct path){.parent = parent, .depth = parent ? parent->depth + 1 : 1};
}

/* The path of the member `name` below `parent`. */
static inline struct path path_member(const struct path *parent, struct slice name)
{
    struct path member = path_below(parent);
    member.kind = PATH_FIELD;
    member.text = name;
    return member;
}

/*
 * Whether the field is a key field of its list item. Every manager that owns something in the item also owns
 * it. False where the key has more fields than that of any list type.
 */
bool path_is_key_field(const struct path *path);

/* Whether it is the member `name` of the object's metadata, such as labels. */
bool path_is_metadata(const struct path *path, struct slice name);

/* Whether it is a member of the map `map` in metadata, or an item of such a list. */
bool path_is_in_metadata(const struct path *path, struct slice map);

/* Whether it is the member `name` of a map in metadata: a label or an annotation. */
bool path_is_metadata_key(const struct path *path, struct slice map, struct slice name);

/* Whether `printed` is the path `above`, or a path below it. */
bool path_printed_covers(struct slice above, struct slice printed);

/* Printed paths, ordered so that the paths below a path follow right after it. */
struct printed_paths {
    const struct slice *items;
    size_t count;
};

/*
 * Sorts the paths in place, and drops each path that another one covers. `paths` may be NULL if `count` is 0.
 */
struct printed_paths printed_paths_sort(struct slice *paths, size_t count);

/* Whether one of them covers a printed path. */
bool printed_paths_cover(const struct printed_paths *paths, struct slice printed);

/* Appends one element, printable: .image, [name="nginx"], [="x"], [3]. */
void path_append_element(struct text *text, const struct path *element);

/* Appends the whole path, cut with an ellipsis after PATH_BYTES_MAX. */
void path_append(struct text *text, const struct path *path);

/*
 * The end of the element that begins at `from` in a printed path: the index of the next element, or the
 * length of the text. Dots and brackets inside quotes do not count. A field name with a dot looks like two
 * elements.
 */
size_t path_element_end(struct slice printed, size_t from);

/*
 * Appends at most about `limit` bytes of a printed path. A longer path is shortened to its first element, an
 * ellipsis, and as many of its last elements as fit: .spec…containers[name="nginx"].image. The name of a list
 * stays rather than a long key: .metadata.ownerReferences[…].controller.
 */
void path_append_short(struct text *text, struct slice printed, size_t limit);

/* Whether the pattern names the path or something above it. */
bool path_pattern_covers(struct slice pattern, const struct path *path, struct arena *arena);

/*
 * Returns NULL if `pattern` is well-formed: it begins with a dot, has no empty field names and closes its
 * brackets. Otherwise returns a sentence without a full stop that says what is wrong.
 */
const char *path_pattern_check(struct slice pattern);

#endif
