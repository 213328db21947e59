/*
 * loop_thread.h: runs a loop on its thread, from start to end.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_LOOP_THREAD_H
#define APPLYGUARD_WEBHOOK_HTTP_LOOP_THREAD_H

#include "base/error.h"
#include "webhook/http/loop.h"

/* Starts the loop, whose first group of members the caller has set, and waits until it listens. */
int loop_start(struct loop *loop, struct error *error);

/* Waits for the end of a loop after STAGE_STOP. Accepts one that was never started. */
void loop_join(struct loop *loop);

#endif
