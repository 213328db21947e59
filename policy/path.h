/*
 * path.h: paths of fields, and the patterns of them that a policy file holds.
 *
 * A path is printed as the API server prints it in its 409 answers (structured-merge-diff, fieldpath/element.go):
 * .spec.template.spec.containers[name="nginx"].ports[containerPort=80,protocol="TCP"], set items as [="x"].
 *
 * A pattern is such a path in which [*] stands for any one element. It covers the field it names and everything
 * below: .metadata.annotations[*] covers each annotation, .spec.template covers the whole template.
 */
#ifndef APPLYGUARD_POLICY_PATH_H
#define APPLYGUARD_POLICY_PATH_H

#include "policy/slice.h"

/*
 * NULL if `pattern` is well-formed: begins with a dot, has no empty field names, closes its brackets. Else a
 * sentence without a full stop that says what is wrong.
 */
const char *path_pattern_check(struct slice pattern);

#endif
