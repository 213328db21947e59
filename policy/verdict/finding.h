/*
 * finding.h: one finding of a rule about a review.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_FINDING_H
#define APPLYGUARD_POLICY_VERDICT_FINDING_H

#include "base/slice.h"
#include "policy/action.h"
#include "policy/managers.h"
#include "policy/rules.h"

#include <stdbool.h>
#include <stddef.h>

/* The limit of fields that a finding lists; further ones are only counted. */
#define FINDING_FIELDS_MAX 32

/* The limit of previous owners that a finding lists; further ones are only counted. */
#define FINDING_PREVIOUS_OWNERS_MAX 16

struct document_place;

struct finding {
    enum rule_id rule;
    enum action action;         /* the action in force */
    enum action policy_action;  /* set by verdict_add: the action without the ceiling of the mode */
    bool is_refused;            /* of a manifest: the API server refuses it for certain */
    struct slice message;       /* a rule gives the sentence (message.h); verdict_add makes one printable line
                                   of it, without rule or action; the object comes first */
    struct slice command;       /* message_command.h: ends the message where it fits; empty: absent */
    const struct slice *fields; /* printable, in the API server's path form */
    size_t field_count;
    size_t field_total; /* including those not listed */
    size_t field_known; /* how many `fields` has if it has more than `field_count`; else 0 */
    bool has_writer;
    struct manager
        writer; /* an empty name: the request shows none. Names are untrusted: print them through text.h */
    const struct manager *previous_owners;
    size_t previous_owner_count;
    size_t previous_owner_total;
    unsigned line, column; /* in the manifest, if a rule knows better than the fields; 0: it does not */
    const struct document_place *related; /* the other manifest that the message is about; NULL: none */
    struct slice waived_by; /* set by verdict_add: the annotation that lowered the action, or empty */
};

/* Initializers of a finding: of one field, of all `fields` in a struct finding_fields, and of who wrote. */
#define FINDING_FIELD(field) .fields = (field), .field_count = 1, .field_total = 1
#define FINDING_FIELDS(found)                                                                                \
    .fields = (found).items, .field_count = (found).listed, .field_total = (found).total
#define FINDING_WRITER(request_writer)                                                                       \
    .has_writer = (request_writer).known, .writer = (request_writer).manager

#endif
