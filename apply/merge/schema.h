/*
 * schema.h: how the fields of a type merge.
 *
 * The schemas of built-in types are one constant table without pointers, which costs a running server
 * nothing; the schemas of custom resources are built in the same form from OpenAPI. A type is a number in its
 * schema. As in structured-merge-diff (schema/elements.go), a type may allow several forms of values:
 * scalars, lists and maps.
 */
#ifndef APPLYGUARD_APPLY_MERGE_SCHEMA_H
#define APPLYGUARD_APPLY_MERGE_SCHEMA_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

/* In every schema, the type of unknown fields: maps merge by member, lists are atomic. */
#define SCHEMA_DEDUCED 0

#define SCHEMA_SCALAR 1
#define SCHEMA_LIST 2
#define SCHEMA_MAP 4

/* The kinds of scalars. */
#define SCHEMA_STRING 1
#define SCHEMA_NUMBER 2
#define SCHEMA_BOOLEAN 4
#define SCHEMA_ANY_SCALAR (SCHEMA_STRING | SCHEMA_NUMBER | SCHEMA_BOOLEAN)

/* How a client-side apply merges a field (patchStrategy). */
#define SCHEMA_PATCH_MERGE 1
#define SCHEMA_PATCH_RETAIN_KEYS 2
#define SCHEMA_PATCH_REPLACE 4

struct schema_name {
    uint32_t offset;
    uint32_t length;
};

struct schema_field {
    uint16_t name; /* fields of a type ascend by name */
    uint16_t type;
    uint16_t preset;    /* the default, as JSON; 0: none */
    uint16_t patch_key; /* patchMergeKey; 0: none */
    uint8_t patch_strategy;
};

struct schema_type {
    uint8_t kinds;      /* SCHEMA_SCALAR, ... */
    uint8_t scalars;    /* SCHEMA_STRING, ...; 0: no scalars */
    uint8_t is_atomic;  /* SCHEMA_LIST and SCHEMA_MAP: the forms that are one value */
    uint8_t key_count;  /* of a list; 0: its items are their own keys */
    uint8_t is_open;    /* a map may have members that are not fields */
    uint16_t first_key; /* in `keys` */
    uint16_t item;      /* the type of a list's items */
    uint16_t member;    /* the type of a map's members that are not fields */
    uint16_t first_field;
    uint16_t field_count;
};

struct schema {
    const char *text;
    const struct schema_name *names; /* the first name is empty */
    const uint16_t *keys;            /* names, ascending for each list */
    const struct schema_field *fields;
    const struct schema_type *types;
};

/* A type and its schema. */
struct schema_ref {
    const struct schema *schema;
    uint16_t type;
};

/* The built-in type of an apiVersion and kind. If none exists, returns false, and SCHEMA_DEDUCED. */
bool schema_find_builtin(struct slice api_version, struct slice kind, struct schema_ref *found);

/*
 * The kinds of a group of Kubernetes, in any version. Returns how many there are, of which `names` gets at
 * most `capacity`; a kind of several versions is there several times.
 */
size_t schema_builtin_kinds(struct slice group, const char **kind_names, size_t capacity);

/*
 * The type that an OpenAPI v3 schema of a CustomResourceDefinition describes. The schema keeps pointers into
 * the document. Returns 0, or -1 and sets the error.
 */
int schema_read_openapi(
    yyjson_val *openapi, struct arena *arena, struct schema_ref *found, struct error *error);

const struct schema_type *schema_type_of(struct schema_ref ref);
struct slice schema_name_of(const struct schema *schema, uint16_t name);

/* For messages: "map", "list", "string", "string or number". A type allows one form, or any value. */
const char *schema_type_text(const struct schema_type *type);
const char *schema_scalars_text(unsigned scalars);

/* NULL: the type has no such field. */
const struct schema_field *schema_field_of(struct schema_ref ref, struct slice name);

/* The type of a member; `field` is what schema_field_of returns for it. */
struct schema_ref schema_of_field(struct schema_ref ref, const struct schema_field *field);

/* The types of the members and items of a type. */
struct schema_ref schema_member(struct schema_ref ref, struct slice name);
struct schema_ref schema_item(struct schema_ref ref);

#endif
