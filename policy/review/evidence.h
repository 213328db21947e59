/*
 * evidence.h: annotations in which an applier keeps what it declared last.
 *
 * Whoever owns such an annotation applies the object, whatever its name. But annotations are copied: by
 * kube-controller-manager to ControllerRevisions, by KEDA to autoscalers, by a restored backup, by people. So
 * one counts only if it names this very object, and for the writer only if this very request wrote it.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_EVIDENCE_H
#define APPLYGUARD_POLICY_REVIEW_EVIDENCE_H

#include "policy/review/ownership.h"

#include <stdbool.h>

struct review;

/* kubectl's last-applied, and those of kapp, KubeVela and Rancher. */
#define EVIDENCE_COUNT 4

enum evidence_answer { EVIDENCE_UNREAD, EVIDENCE_NONE, EVIDENCE_FOUND };

/* What was read of the annotations, of the old object and of the object: each is parsed once. */
struct evidence {
    enum evidence_answer answers[2][EVIDENCE_COUNT];
};

/* Whether the entry, of either side, owns such an annotation, which names this object. */
bool evidence_of_owner(const struct review *review, const struct managed_fields_entry *entry);

/* The same of an entry of the object, where this request has written the annotation. */
bool evidence_of_writer(const struct review *review, const struct managed_fields_entry *entry);

#endif
