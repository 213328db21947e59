/*
 * applications.h: the application, release or Kustomization for which a tool applies an object, as the tool's
 * own labels and annotations name it.
 *
 * Labels and annotations are copied, so one counts only if the manager itself owns it.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_APPLICATIONS_H
#define APPLYGUARD_POLICY_ANALYSIS_APPLICATIONS_H

#include "policy/review/review.h"

#include <stdbool.h>

struct application {
    const char *kind;       /* "release", "Kustomization", "Application" */
    struct slice namespace; /* empty: unknown */
    struct slice name;
};

/* The application of an entry of the object as it is after the request. False: the object does not show it.
 */
bool application_find(
    const struct review *review, const struct managed_fields_entry *entry, struct application *application);

#endif
