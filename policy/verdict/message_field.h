/*
 * message_field.h: a field, as people name it in a sentence.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_MESSAGE_FIELD_H
#define APPLYGUARD_POLICY_VERDICT_MESSAGE_FIELD_H

#include "base/slice.h"
#include "base/text.h"

/*
 * Appends a printed path in the words of a sentence, shortened to about MESSAGE_PATH_BYTES: "replicas" for
 * .spec.replicas, "nginx's image" for a container's image, "container nginx", and else the path as a manifest
 * has it: keys with dots in brackets (.metadata.annotations["example.com/a"]), items that are known by a name
 * by that name (.spec.template.spec.volumes[data].emptyDir).
 */
void message_append_field(struct text *text, struct slice printed);

#endif
