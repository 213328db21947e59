/*
 * encode.h: a verdict as JSON: the webhook's answer, and the command line's report.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_ENCODE_H
#define APPLYGUARD_POLICY_VERDICT_ENCODE_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/verdict/verdict.h"

/* Warnings of one answer: who gets more reads none. The last says how many more there are. */
#define WARNINGS_MAX 5

/* Limits of one warning and of all together; the API server drops what passes 4,096 (filters/warning.go). */
#define WARNING_BYTES_MAX 256
#define WARNINGS_BYTES_MAX 4096

/* Bound of the audit annotation `findings`: "values should be short" (admission/v1 types.go). */
#define AUDIT_FINDINGS_BYTES_MAX 4096

/*
 * The AdmissionReview that answers the request, in the version of the request (v1 or v1beta1), one line of
 * JSON with a newline at its end. The bytes live in `arena`; `bytes` is NULL if there is no memory.
 */
struct slice encode_response(const struct verdict *verdict, struct arena *arena);

/*
 * The verdict as one line of JSON, with a newline: {"file":…,"uid":…,…,"findings":[…],"dropped":{…}}.
 * `file` is left out when empty, "dropped" where all findings are listed. Same ownership as above.
 */
struct slice encode_verdict(const struct verdict *verdict, struct slice file, struct arena *arena);

#endif
