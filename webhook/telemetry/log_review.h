/*
 * log_review.h: logs a review that has findings.
 */
#ifndef APPLYGUARD_WEBHOOK_TELEMETRY_LOG_REVIEW_H
#define APPLYGUARD_WEBHOOK_TELEMETRY_LOG_REVIEW_H

#include "policy/verdict/verdict.h"
#include "system/log.h"

#include <stdint.h>

void log_review(struct log *log, const struct verdict *verdict, uint64_t microseconds);

#endif
