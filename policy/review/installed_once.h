/*
 * installed_once.h: objects that a tool creates and never changes again.
 *
 * Helm installs what is in the directory crds/ of a chart, and leaves it alone at each upgrade: people then
 * apply newer definitions themselves, as the documents of many charts say. Flux's Helm controller does the
 * same, unless the HelmRelease says otherwise (crds: CreateReplace). Definitions among the templates of a
 * chart are upgraded as everything else there; Helm marks these with the release.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_INSTALLED_ONCE_H
#define APPLYGUARD_POLICY_REVIEW_INSTALLED_ONCE_H

#include "policy/managers.h"
#include "policy/review/managed_fields.h"

struct review;

/*
 * The class, as owner, of an applier with this entry: ad-hoc if it does not apply the object again, unknown
 * if it may not.
 */
enum manager_class installed_once_class(
    const struct review *review, const struct managed_fields_entry *entry);

#endif
