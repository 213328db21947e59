/*
 * message_field.h: names a field in a sentence.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_FIELD_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_FIELD_H

#include "base/slice.h"
#include "base/text.h"

/*
 * Appends the field of a printed path, marked so that it may be shortened: "replicas" for .spec.replicas,
 * "nginx's image" for a container's image, "container nginx", "label team", "finalizer
 * example.com/a", "restartedAt". For other fields, appends the path in the API server's own form.
 */
void message_append_field(struct text *text, struct slice printed);

#endif
