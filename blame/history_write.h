/*
 * history_write.h: requests that a history refers to. Private to blame/.
 */
#ifndef APPLYGUARD_BLAME_HISTORY_WRITE_H
#define APPLYGUARD_BLAME_HISTORY_WRITE_H

#include "blame/history.h"

/* With one reference. NULL: there is no memory. */
struct history_write *history_write_of(const struct audit_event *event);

/* One reference more. Accepts NULL. */
struct history_write *history_write_share(struct history_write *write);

/* One less, and frees it with the last. Accepts NULL. */
void history_write_release(struct history_write *write);

/* Adds a change, with references of its own to the writes, in place of the oldest where there are many.
 * False: there is no memory. */
bool field_history_add(struct field_history **field, const struct history_change *change);

/* Accepts NULL. */
void field_history_free(struct field_history *field);

#endif
