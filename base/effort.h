/*
 * effort.h: how much work one review may cause.
 *
 * Each search that is not linear has a bound here: in proportion to the review's bytes, and many times what
 * real objects need. Once the bound is spent, the search answers ANSWER_UNKNOWN, and no rule reports a
 * finding on that basis. The verdict then lists what could not be judged.
 */
#ifndef APPLYGUARD_BASE_EFFORT_H
#define APPLYGUARD_BASE_EFFORT_H

#include <stdbool.h>
#include <stddef.h>

/* The answer of a search that may give up. */
enum search_answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

enum effort_kind {
    EFFORT_COMPARED,         /* JSON values compared with others */
    EFFORT_OWNERS,           /* nodes of FieldsV1 looked at for who owns one field */
    EFFORT_LISTS,            /* nodes of FieldsV1 looked at for the types of lists */
    EFFORT_PATHS,            /* bytes of paths printed to distinguish fields */
    EFFORT_TOOL_ANNOTATIONS, /* list items printed to find those that annotations name */
    EFFORT_KEYS,             /* sets of key fields by which the items of one list are known */
    EFFORT_MEMORY,           /* all that judging allocates */
    EFFORT_KIND_COUNT
};

/* All zero: a review of no bytes, which may still cause a little work. */
struct effort {
    size_t bytes; /* of the review */
    size_t spent[EFFORT_KIND_COUNT];
    bool exceeded[EFFORT_KIND_COUNT];
};

/* Charges a part of a search. False once the bound is passed: the search must answer ANSWER_UNKNOWN. */
bool effort_spend(struct effort *effort, enum effort_kind kind, size_t amount);

/* Marks the bound as passed, for limits that do not depend on the review's bytes. Returns ANSWER_UNKNOWN. */
enum search_answer effort_give_up(struct effort *effort, enum effort_kind kind);

/* The sentence that says what could not be judged once the bound is passed. */
const char *effort_sentence(enum effort_kind kind);

#endif
