/*
 * policy_guard.h: refuses to store a policy that does not load.
 *
 * The API server asks before the ConfigMap with the server's own policy changes (policyGuard in the chart).
 */
#ifndef APPLYGUARD_WEBHOOK_REVIEW_POLICY_GUARD_H
#define APPLYGUARD_WEBHOOK_REVIEW_POLICY_GUARD_H

#include "webhook/http/http.h"

/*
 * Handles an AdmissionReview of a ConfigMap: the policies are its data policy.yaml and shadow-policy.yaml.
 * The answer denies the request if one does not load, with file, line and column, and warns of parts that
 * have no effect. Other objects are allowed.
 */
void handle_policy(struct http_request *request);

#endif
