/*
 * time.h: times of the audit log as seconds. Private to commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_TIME_H
#define APPLYGUARD_COMMANDS_REPLAY_TIME_H

#include "base/slice.h"

#include <stdint.h>

/* Seconds since 1970 of a time such as 2026-11-27T00:12:14.827905Z. 0: the text is not such a time. */
int64_t replay_seconds(struct slice time);

#endif
