/*
 * encode.h: encodes a verdict as JSON: the webhook's answer and the command line's report.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_ENCODE_H
#define APPLYGUARD_POLICY_VERDICT_ENCODE_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/verdict/verdict.h"

/* The limit of warnings in one answer: people do not read more. The last one says how many more there are. */
#define WARNINGS_MAX 5

/* The limit of all warnings together. The API server truncates beyond (filters/warning.go). */
#define WARNINGS_BYTES_MAX 4096

/* The size limit of the audit annotation `findings`: "values should be short" (admission/v1 types.go). */
#define AUDIT_FINDINGS_BYTES_MAX 4096

/*
 * The AdmissionReview that answers the request, in the version of the request (v1 or v1beta1), as one line of
 * JSON with a newline. The bytes live in `arena`; `bytes` is NULL if memory runs out.
 */
struct slice encode_response(const struct verdict *verdict, struct arena *arena);

/*
 * The verdict as one line of JSON, with a newline: {"file":…,"uid":…,…,"findings":[…],"dropped":{…}}. Omits
 * `file` if it is empty, and "dropped" if all findings are listed. The bytes live in `arena`, too.
 */
struct slice encode_verdict(const struct verdict *verdict, struct slice file, struct arena *arena);

#endif
