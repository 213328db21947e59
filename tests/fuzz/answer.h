/*
 * answer.h: what must hold of every answer, whatever was posted.
 */
#ifndef APPLYGUARD_TESTS_FUZZ_ANSWER_H
#define APPLYGUARD_TESTS_FUZZ_ANSWER_H

#include "base/slice.h"

/* Judges the bytes of an AdmissionReview under several policies and ceilings, and checks all that is said. */
void check_answers(struct slice body);

#endif
