/*
 * hostile.h: reviews that are made to take long, each by one trick.
 */
#ifndef APPLYGUARD_TESTS_TORTURE_HOSTILE_H
#define APPLYGUARD_TESTS_TORTURE_HOSTILE_H

#include "tests/torture/buffer.h"

/* The parts that a trick fills in: members of JSON objects and items of lists, without the brackets around.
 * */
struct hostile_side {
    struct buffer metadata; /* members other than managedFields and the last-applied annotation */
    struct buffer entries;
    struct buffer body;
};

struct hostile_review {
    struct hostile_side old;
    struct hostile_side new;
    struct buffer last_applied; /* of both sides; empty: there is none */
    bool enters_applier;        /* the entries have the time of the applier */
    struct buffer request;      /* further members of the request */
    bool is_secret;             /* and no Deployment */
    bool is_unnamed;            /* the request gives no field manager */
    const char *field_manager;  /* that it gives otherwise; NULL: kubectl-edit */
};

struct hostile_case {
    const char *name;
    /* Fills in the parts for a body of about `size` bytes. */
    void (*fill)(struct hostile_review *review, size_t size);
};

extern const struct hostile_case hostile_cases[];
extern const size_t hostile_case_count;

/* A policy under which all rules have work. */
extern const char hostile_policy[];

/* The memory that the arena may take for a byte of review, in addition to a fixed amount. */
#define HOSTILE_MEMORY_PER_BYTE 20

/* The whole AdmissionReview; the caller frees it. */
struct buffer hostile_body(const struct hostile_case *hostile, size_t size);

/* The same for parts that the caller has filled in, and that are freed with it. */
struct buffer hostile_assemble(struct hostile_review *filled);

#endif
