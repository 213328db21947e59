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
    struct slice name; /* empty: every member */
    enum {
        FIELD_OPTIONAL, /* what is below is required only if it is there */
        FIELD_IMPLIED,  /* the fields below are required even if it is absent */
        FIELD_REQUIRED, /* it may be neither absent nor empty nor 0 */
        FIELD_END,      /* behind the last one */
    } presence;
    const struct field *below;
    const char *values;                  /* of a text, separated by spaces; NULL: any */
    const char *sentence;                /* about another value */
    const struct combination_form *form; /* NULL: any */
};

/* clang-format off */
#define FIELD(title, ...) {.name = SLICE_LITERAL(title), __VA_ARGS__}
/* clang-format on */
#define OPTIONAL(title, tree) FIELD(title, .below = tree)
#define IMPLIED(title, tree) FIELD(title, .presence = FIELD_IMPLIED, .below = tree)
#define REQUIRED(title, tree) FIELD(title, .presence = FIELD_REQUIRED, .below = tree)
#define ONE_OF(title, texts, words) FIELD(title, .values = texts, .sentence = "it must be " words)
#define REQUIRED_ONE_OF(title, texts, words)                                                                 \
    FIELD(title, .presence = FIELD_REQUIRED, .values = texts, .sentence = "it must be " words)
#define FORM(title, name) FIELD(title, .form = &form_##name)
#define FORM_AND(title, name, tree) FIELD(title, .below = tree, .form = &form_##name)
#define REQUIRED_FORM(title, name) FIELD(title, .presence = FIELD_REQUIRED, .form = &form_##name)
#define REQUIRED_FORM_AND(title, name, tree)                                                                 \
    FIELD(title, .presence = FIELD_REQUIRED, .below = tree, .form = &form_##name)
#define EACH_MEMBER(name) FIELD("", .form = &form_##name)
#define END FIELD("", .presence = FIELD_END)

/* A tree of few fields, in place. */
#define FIELDS(...) ((const struct field[]){__VA_ARGS__, END})
#define SPEC(tree) FIELDS(OPTIONAL("spec", tree))

#define ACCESS_MODES "ReadOnlyMany ReadWriteMany ReadWriteOnce ReadWriteOncePod"
#define ACCESS_MODES_WORDS "ReadWriteOnce, ReadOnlyMany, ReadWriteMany or ReadWriteOncePod"

/* The fields of the kind; NULL: none is known. */
const struct field *combination_fields_of(struct slice group_kind);

/* A pod, or its template, with a spec. */
extern const struct field combination_fields_pod[];

/* A claim for a volume. */
extern const struct field combination_fields_claim[];

/* Sources of volumes of pods, and of PersistentVolumes. */
extern const struct field combination_fields_host_path[];
extern const struct field combination_fields_nfs[];

/* A map of amounts. */
extern const struct field combination_fields_amounts[];

/* A toleration. */
extern const struct field combination_fields_toleration[];

/* A selector with matchLabels and matchExpressions. */
extern const struct field combination_fields_selector[];

/* Terms of a node selector. */
extern const struct field combination_fields_node_terms[];

#endif
