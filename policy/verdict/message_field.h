/*
 * message_field.h: names a field in a sentence.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_FIELD_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_FIELD_H

#include "base/slice.h"
#include "base/text.h"

/*
 * Appends the field of a printed path, shortened to about MESSAGE_PATH_BYTES: "replicas" for .spec.replicas,
 * "nginx's image" for a container's image, "container nginx". For other fields, appends the path in the form
 * of a manifest: keys with dots in brackets (.metadata.annotations["example.com/a"]), and items that have a
 * name with that name (.spec.template.spec.volumes[data].emptyDir).
 */
void message_append_field(struct text *text, struct slice printed);

#endif
