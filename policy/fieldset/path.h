/*
 * path.h: paths of fields, and the patterns of them that a policy file holds.
 *
 * A path is a chain of elements from a field up to the object's root. It is printed as the API server prints
 * it in its 409 answers (structured-merge-diff, fieldpath/element.go):
 * .spec.template.spec.containers[name="nginx"].ports[containerPort=80,protocol="TCP"], set items as [="x"].
 *
 * A pattern is such a path in which [*] stands for any one element. It covers the field it names and
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
    PATH_KEY,   /* a list item known by key fields: `json` is an object that has them */
    PATH_VALUE, /* an item of a set: `json` is the item */
    PATH_INDEX, /* a list item by position: `text` is the number */
};

/* How much of one name or key is printed, and of a whole path: names of API types are far shorter. */
#define PATH_NAME_BYTES_MAX 256
#define PATH_BYTES_MAX 2048

/* One element. Lives on the stack of whoever walks; the root is NULL. */
struct path {
    const struct path *parent;
    unsigned depth; /* 1 for a child of the root */
    enum path_kind kind;
    struct slice text;
    yyjson_val *json;
    /* PATH_KEY: the members of `json` that are the key; NULL: all of them. */
    const struct slice_list *key_names;
};

/* Whether the field is one by which its list item is known: whoever owns something of the item owns it too.
 */
bool path_is_key_field(const struct path *path);

/* Whether a printed path is another one, or lies below it. */
bool path_printed_covers(struct slice above, struct slice printed);

/* Printed paths in an order in which what lies below one comes right after it. */
struct printed_paths {
    const struct slice *items;
    size_t count;
};

/* Sorts them in place, and leaves out what another one covers. `paths` may be NULL where there are none. */
struct printed_paths printed_paths_sort(struct slice *paths, size_t count);

/* Whether one of them covers a printed path. */
bool printed_paths_cover(const struct printed_paths *paths, struct slice printed);

/* Whether one of them is the printed path, or lies below it. */
bool printed_paths_have_below(const struct printed_paths *paths, struct slice printed);

/* Appends one element, printable: .image, [name="nginx"], [="x"], [3]. */
void path_append_element(struct text *text, const struct path *element);

/* Appends the whole path; an ellipsis stands for what is beyond PATH_BYTES_MAX. */
void path_append(struct text *text, const struct path *path);

/*
 * Where the element of a printed path that begins at `from` ends: at the next one, or at the end of the text.
 * Quotes in brackets hide dots and brackets. A field whose name has a dot looks like two.
 */
size_t path_element_end(struct slice printed, size_t from);

/*
 * Appends at most about `limit` bytes of a printed path: where it is longer, its first element, an ellipsis,
 * and as much of its end as fits, from an element on: .spec…containers[name="nginx"].image.
 */
void path_append_short(struct text *text, struct slice printed, size_t limit);

/* Whether the pattern names the path or something above it. */
bool path_pattern_covers(struct slice pattern, const struct path *path, struct arena *arena);

/*
 * NULL if `pattern` is well-formed: begins with a dot, has no empty field names, closes its brackets. Else a
 * sentence without a full stop that says what is wrong.
 */
const char *path_pattern_check(struct slice pattern);

#endif
