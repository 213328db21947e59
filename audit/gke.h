/*
 * gke.h: the requests of GKE's audit log, whose entries have Cloud Logging's own form. Private to this
 * component.
 *
 * An entry has no URI, so the field manager and the option force are unknown, and it has neither groups nor
 * the HTTP status (GoogleCloudPlatform/khi, contract/fieldset.go; falcosecurity/plugins,
 * k8sauditgke/convert.go).
 */
#ifndef APPLYGUARD_AUDIT_GKE_H
#define APPLYGUARD_AUDIT_GKE_H

#include "audit/event.h"

/* `json` is a LogEntry with a protoPayload. */
enum audit_decode gke_decode(
    yyjson_val *json, struct arena *arena, struct audit_event *event, struct error *error);

#endif
