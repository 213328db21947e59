/*
 * read_yaml.h: a YAML document as kubectl reads it.
 *
 * libyaml parses; what comes of its events is what go.yaml.in/yaml/v2 and sigs.k8s.io/yaml make of theirs.
 * Where libyaml 0.2.5 takes what Go's parser refuses, it is refused here, too.
 */
#ifndef APPLYGUARD_MANIFEST_READ_YAML_H
#define APPLYGUARD_MANIFEST_READ_YAML_H

#include "manifest/build.h"

/*
 * Reads the first document in `text`; what follows is noted, for kubectl ignores it. An empty one is a node
 * of kind MANIFEST_NULL. `first_line` is the number of the text's first line. NULL, with an error, if kubectl
 * cannot read it or it is too large.
 */
const struct manifest_node *read_yaml(struct build *build, struct slice text, unsigned first_line);

#endif
