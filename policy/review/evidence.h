/*
 * evidence.h: annotations in which an applier keeps what it declared last.
 *
 * Whoever owns such an annotation applies the object, whatever its name. But annotations are copied: by
 * kube-controller-manager to ControllerRevisions, by KEDA to autoscalers, by a restored backup, by people. So
 * one counts only if it names this very object, and for the writer only if this very request wrote it.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_EVIDENCE_H
#define APPLYGUARD_POLICY_REVIEW_EVIDENCE_H

#include "policy/review/managed_fields.h"

#include <stdbool.h>

struct review;

/* Whether the entry, of either side, owns such an annotation, which names this object. */
bool evidence_of_owner(const struct review *review, const struct managed_fields_entry *entry);

/* The same of an entry of the object, where this request has written the annotation. */
bool evidence_of_writer(const struct review *review, const struct managed_fields_entry *entry);

#endif
