/*
 * gke.h: the requests of GKE's audit log, whose entries Cloud Logging has in a form of its own. Private to
 * audit/.
 *
 * An entry has no URI, so the field manager and whether an apply is forced are unknown, and neither groups
 * nor the HTTP code (GoogleCloudPlatform/khi, contract/fieldset.go; falcosecurity/plugins,
 * k8sauditgke/convert.go).
 */
#ifndef APPLYGUARD_AUDIT_GKE_H
#define APPLYGUARD_AUDIT_GKE_H

#include "audit/event.h"

/* `json` is a LogEntry with a protoPayload. */
enum audit_decode gke_decode(
    yyjson_val *json, struct arena *arena, struct audit_event *event, struct error *error);

#endif
