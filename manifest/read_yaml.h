/*
 * read_yaml.h: a YAML document as kubectl reads it.
 *
 * libyaml parses; its events become the same values as in go.yaml.in/yaml/v2 and sigs.k8s.io/yaml. Text that
 * libyaml 0.2.5 accepts and Go's parser refuses is refused here, too.
 */
#ifndef APPLYGUARD_MANIFEST_READ_YAML_H
#define APPLYGUARD_MANIFEST_READ_YAML_H

#include "manifest/build.h"

/*
 * Reads the first document in `text`; content behind it is noted, because kubectl ignores it. An empty
 * document is a node of kind MANIFEST_NULL. `first_line` is the number of the text's first line. Returns NULL
 * and sets the error if kubectl cannot read it or it is too large.
 */
const struct manifest_node *read_yaml(struct build *build, struct slice text, unsigned first_line);

#endif
