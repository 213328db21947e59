/*
 * effort.h: how much work one review may make.
 *
 * A search that is not linear by its nature has a bound here, in proportion to the review's bytes and many
 * times what real objects need. Once it is spent, the search answers that it does not know: no rule makes a
 * finding of that. It is remembered, and the verdict says it among what could not be judged.
 */
#ifndef APPLYGUARD_BASE_EFFORT_H
#define APPLYGUARD_BASE_EFFORT_H

#include <stdbool.h>
#include <stddef.h>

/* Of a search that may end before it knows. */
enum search_answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN };

enum effort_kind {
    EFFORT_COMPARED,         /* JSON values compared with others */
    EFFORT_OWNERS,           /* nodes of FieldsV1 looked at for who owns one field */
    EFFORT_LISTS,            /* nodes of FieldsV1 looked at for the types of lists */
    EFFORT_PATHS,            /* bytes of paths printed to tell fields apart */
    EFFORT_TOOL_ANNOTATIONS, /* list items printed to find those that annotations name */
    EFFORT_KEYS,             /* sets of key fields by which the items of one list are known */
    EFFORT_KIND_COUNT
};

/* All zero: of a review of no bytes, which may make a little. */
struct effort {
    size_t bytes; /* of the review */
    size_t spent[EFFORT_KIND_COUNT];
    bool exceeded[EFFORT_KIND_COUNT];
};

/* Pays for a part of a search. False once its bound is passed: then its answer is ANSWER_UNKNOWN. */
bool effort_spend(struct effort *effort, enum effort_kind kind, size_t amount);

/* The same where what is counted is not the review's. Returns ANSWER_UNKNOWN. */
enum search_answer effort_give_up(struct effort *effort, enum effort_kind kind);

/* The sentence that says what could not be judged once the bound is passed. */
const char *effort_sentence(enum effort_kind kind);

#endif
