/*
 * released.h: an object of a release of Helm, and the managers that may lose fields to the next upgrade.
 * Private to commands/scan/.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_RELEASED_H
#define APPLYGUARD_COMMANDS_SCAN_RELEASED_H

#include "policy/review/review.h"

struct scan_release_object {
    struct slice namespace, name; /* of the release */
    bool is_refused;              /* the upgrade is refused with a conflict */
};

/* Whether Helm applies the object, and another manager owns fields that the upgrade may change. */
bool scan_released_find(const struct review *review, struct scan_release_object *object);

/* Whether the entry is one of these managers'. */
bool scan_released_may_lose(
    const struct review *review, const struct managed_fields_entry *entry,
    const struct scan_release_object *object);

/*
 * {"version":…,"object":…}: the object as it was read, and the version of its list if the object does not
 * name it; in the review's arena. `bytes` is NULL if memory runs out.
 */
struct slice scan_released_json(const struct review *review);

#endif
