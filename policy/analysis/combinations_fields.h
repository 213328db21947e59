/*
 * combinations_fields.h: the fields that validation requires, and the values that it takes in some
 * (kubernetes, pkg/apis/GROUP/validation), as a tree of each object. Private to combinations.
 *
 * `below` is of the value of a field, or of each item if that is a list; so are `values` and `form`.
 * An object without a spec is unfinished, and everything would be missing: nothing is reported.
 * tests/cluster/test_refused_combinations.py asks real API servers.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_FIELDS_H
#define APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_FIELDS_H

#include "policy/analysis/combinations_forms.h"

struct field {
    struct slice name;
    enum {
        FIELD_REQUIRED, /* it may be neither absent nor empty nor 0 */
        FIELD_IMPLIED,  /* the fields below are required even if it is absent */
        FIELD_OPTIONAL, /* what is below is required only if it is there */
    } presence;
    const struct field *below;
    const char *values;                  /* of a text, separated by spaces; NULL: any */
    const char *sentence;                /* about another value */
    const struct combination_form *form; /* NULL: any */
};

#define REQUIRED(name, below)                                                                                \
    {                                                                                                        \
        SLICE_LITERAL(name), FIELD_REQUIRED, below, NULL, NULL, NULL                                         \
    }
#define IMPLIED(name, below)                                                                                 \
    {                                                                                                        \
        SLICE_LITERAL(name), FIELD_IMPLIED, below, NULL, NULL, NULL                                          \
    }
#define OPTIONAL(name, below)                                                                                \
    {                                                                                                        \
        SLICE_LITERAL(name), FIELD_OPTIONAL, below, NULL, NULL, NULL                                         \
    }
#define ONE_OF(name, values, words)                                                                          \
    {                                                                                                        \
        SLICE_LITERAL(name), FIELD_OPTIONAL, NULL, values, "it must be " words, NULL                         \
    }
#define REQUIRED_ONE_OF(name, values, words)                                                                 \
    {                                                                                                        \
        SLICE_LITERAL(name), FIELD_REQUIRED, NULL, values, "it must be " words, NULL                         \
    }
#define FORM(name, form)                                                                                     \
    {                                                                                                        \
        SLICE_LITERAL(name), FIELD_OPTIONAL, NULL, NULL, NULL, &form_##form                                  \
    }
#define FORM_AND(name, form, below)                                                                          \
    {                                                                                                        \
        SLICE_LITERAL(name), FIELD_OPTIONAL, below, NULL, NULL, &form_##form                                 \
    }
#define REQUIRED_FORM(name, form)                                                                            \
    {                                                                                                        \
        SLICE_LITERAL(name), FIELD_REQUIRED, NULL, NULL, NULL, &form_##form                                  \
    }
#define REQUIRED_FORM_AND(name, form, below)                                                                 \
    {                                                                                                        \
        SLICE_LITERAL(name), FIELD_REQUIRED, below, NULL, NULL, &form_##form                                 \
    }
#define END                                                                                                  \
    {                                                                                                        \
        SLICE_LITERAL(""), FIELD_OPTIONAL, NULL, NULL, NULL, NULL                                            \
    }

#define ACCESS_MODES "ReadOnlyMany ReadWriteMany ReadWriteOnce ReadWriteOncePod"
#define ACCESS_MODES_WORDS "ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod"

/* The fields of the kind; NULL: none is known. */
const struct field *combination_fields_of(struct slice group_kind);

/* A pod, or its template, with a spec. */
extern const struct field combination_fields_pod[];

/* A selector with matchLabels and matchExpressions. */
extern const struct field combination_fields_selector[];

/* Terms of a node selector. */
extern const struct field combination_fields_node_terms[];

#endif
