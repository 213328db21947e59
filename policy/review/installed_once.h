/*
 * installed_once.h: objects that a tool creates and never changes again.
 *
 * Helm installs what is in the directory crds/ of a chart, and leaves it alone at each upgrade: people then
 * apply newer definitions themselves, as the documents of many charts say. Definitions among the templates of
 * a chart are upgraded as everything else there; Helm marks these with the release.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_INSTALLED_ONCE_H
#define APPLYGUARD_POLICY_REVIEW_INSTALLED_ONCE_H

#include "policy/review/managed_fields.h"

#include <stdbool.h>

struct review;

/* Whether the tool of this entry created the object, and does not apply it again. */
bool is_installed_once(const struct review *review, const struct managed_fields_entry *entry);

#endif
