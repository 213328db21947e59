/*
 * evidence.h: annotations in which an applier stores the configuration that it applied last.
 *
 * A manager with any name that owns such an annotation applies the object. But annotations are copied: by
 * kube-controller-manager to ControllerRevisions, by KEDA to autoscalers, by restored backups and by people.
 * So an annotation counts only if it names this object, and for the writer only if this request wrote it.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_EVIDENCE_H
#define APPLYGUARD_POLICY_REVIEW_EVIDENCE_H

#include "policy/review/managed_fields.h"

#include <stdbool.h>

struct review;

/* Whether the entry, of either object, owns such an annotation that names this object. */
bool evidence_of_owner(const struct review *review, const struct managed_fields_entry *entry);

/* The same for an entry of the new object, if this request wrote the annotation. */
bool evidence_of_writer(const struct review *review, const struct managed_fields_entry *entry);

#endif
