/*
 * loop_thread.h: a loop's thread: its iterations, from its start to its end.
 */
#ifndef APPLYGUARD_WEBHOOK_HTTP_LOOP_THREAD_H
#define APPLYGUARD_WEBHOOK_HTTP_LOOP_THREAD_H

#include "base/error.h"
#include "webhook/http/loop.h"

/* Starts the loop, whose first group of members is filled in, and waits until it listens. */
int loop_start(struct loop *loop, struct error *error);

/* Waits for the end of a loop that was told to stop. Accepts one that was never started. */
void loop_join(struct loop *loop);

#endif
