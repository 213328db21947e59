/*
 * json_path.h: JSON paths, with which annotations of other tools name fields: spec.replicas, webhooks.*.*,
 * $.spec.template.spec.containers[0].image, metadata.annotations["example.com/x"], data..password.
 *
 * Names, *, [*], [0] and .. are understood. A path with filters, slices, unions or negative positions is not,
 * and covers nothing. A path names exactly one level: spec does not cover spec.replicas. Only .. covers all
 * levels below.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_JSON_PATH_H
#define APPLYGUARD_POLICY_VERDICT_JSON_PATH_H

#include "base/slice.h"
#include "policy/fieldset/path_components.h"

#include <stdbool.h>
#include <stddef.h>

/* More than the depth of any field of API types. */
#define JSON_PATH_STEPS_MAX PATH_COMPONENTS_MAX

enum json_path_step_kind { JSON_PATH_NAME, JSON_PATH_POSITION, JSON_PATH_ANY, JSON_PATH_DESCENT };

struct json_path_step {
    enum json_path_step_kind kind;
    struct slice name;
    size_t position;
};

struct json_path {
    struct json_path_step steps[JSON_PATH_STEPS_MAX];
    size_t count;
};

/* False if the text is not understood. The path points into the text. */
bool json_path_parse(struct slice text, struct json_path *path);

/* Whether the path names the field. */
bool json_path_covers(const struct json_path *path, const struct path_components *field);

#endif
