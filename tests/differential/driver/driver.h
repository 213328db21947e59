/*
 * driver.h: the questions that the Go program asks of applyguard's code.
 *
 * A question is a letter and some parts, each as long as it says; its answer is a text. Most answers are
 * lists of fields, each written as its length, a colon and its bytes.
 */
#ifndef APPLYGUARD_TESTS_DIFFERENTIAL_DRIVER_H
#define APPLYGUARD_TESTS_DIFFERENTIAL_DRIVER_H

#include "base/arena.h"
#include "base/slice.h"
#include "base/text.h"

#include <stddef.h>

#define PARTS_MAX 32

struct question {
    struct slice parts[PARTS_MAX]; /* texts that the question lacks are empty */
    size_t count;
    struct arena *arena; /* of this question alone */
    struct text answer;
};

typedef void answer_question(struct question *question);

/* Appends one field to the answer. */
void answer_field(struct question *question, struct slice field);
void answer_number(struct question *question, size_t number);

/* fields.c: two FieldsV1 sets, and what the first owns that the second does not. */
answer_question answer_difference;
/* A FieldsV1 set and others: which of the others own what it owns. */
answer_question answer_overlap;
/* A FieldsV1 set, and the elements of a path: whether it owns the field. */
answer_question answer_contains;
/* A FieldsV1 set, a list's name, an item, and its key fields: whether the set owns the item. */
answer_question answer_contains_item;

/* conflicts.c: an AdmissionReview, and which fields its writer takes of whom. */
answer_question answer_conflicts;

/* values.c: a JSON object whose member "annotation" is a last-applied annotation, and what that declares. */
answer_question answer_last_applied;
/* Two JSON texts: whether they are equal. */
answer_question answer_equal;
/* Two quantities: whether they are the same amount. */
answer_question answer_quantities;
/* A policy file: whether it loads. */
answer_question answer_policy;
/* Name, namespace, kind and group of a parent, and the ID of its ApplySet. */
answer_question answer_apply_set;
/* A label's value: whether it is the ID of any ApplySet. */
answer_question answer_apply_set_id;

/* manifests.c: an input; its objects as JSON, each behind an O, and its errors, each behind an E. */
answer_question answer_manifest;

/* written.c: an object, and the YAML that blame prints of it, which is not a list of fields. */
answer_question answer_written;

/* server_side.c: an OpenAPI schema (empty: that of a built-in type), an object, its owners, and what is
 * applied. */
answer_question answer_server_side;

/* value_types.c: an object: of each value that is not of its built-in type what it must be. */
answer_question answer_value_types;

/* migrate.c: an object, the manager that gets fields, and the managers that lose theirs: the patch, which is
 * not a list of fields. */
answer_question answer_migrate;

/* client_side.c: "custom" or nothing, what was last applied (or nothing), a manifest, and the live object. */
answer_question answer_client_side;

/* custom_values.c: a pattern of a CustomResourceDefinition, and a text: whether it matches. */
answer_question answer_pattern;
/* A format and a text: whether it has the format. */
answer_question answer_format;
/* An OpenAPI schema, an object, and the object before or nothing: whether the schema allows the object. */
answer_question answer_custom_values;

#endif
