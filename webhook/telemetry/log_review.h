/*
 * log_review.h: logs a review that has findings, or on which the shadow policy decides otherwise.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_LOG_REVIEW_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_LOG_REVIEW_H

#include "policy/verdict/difference.h"
#include "policy/verdict/verdict.h"
#include "system/log.h"

#include <stdint.h>

void log_review(struct log *log, const struct verdict *verdict, uint64_t microseconds);

/* `verdict` is that of the policy in force. */
void log_shadow(
    struct log *log, const struct verdict *verdict, const struct verdict *shadow,
    enum verdict_difference difference);

#endif
