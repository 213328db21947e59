#include "policy/analysis/combinations_fields.h"
#include "policy/analysis/combinations_parts.h"

#include "base/json_each.h"
#include "base/split.h"

static bool is_empty(yyjson_val *value)
{
    return is_nothing(value) || (yyjson_is_str(value) && !yyjson_get_len(value)) ||
        (yyjson_is_int(value) && !yyjson_get_uint(value));
}

static void check_fields(
    const struct combinations *of, yyjson_val *object, const struct path *place, const struct field *fields);

/* OpenShift fills in the images that this annotation names. */
static bool is_filled_in(const struct combinations *of, const struct field *field)
{
    return slice_equal(field->name, SLICE("image")) &&
        json_member(
               json_metadata(of->declared->object, SLICE("annotations")),
               SLICE("image.openshift.io/triggers"));
}

/* A text that something replaces may become any. */
static bool has_other_value(yyjson_val *value, const struct field *field)
{
    struct slice text = json_text(value);
    return field->values && text.length && !split_has(slice_of(field->values), ' ', text) &&
        !combination_is_marked(text);
}

static void check_value(
    const struct combinations *of, yyjson_val *value, const struct path *place, const struct field *field)
{
    const char *problem =
        has_other_value(value, field) ? field->sentence : combination_form_problem(field->form, value);
    if (problem)
        combinations_refuse(of, place, "", problem);
    else if (field->below && (yyjson_is_obj(value) || !value))
        check_fields(of, value, place, field->below);
}

/* The API server takes a null item for an empty one. */
static void check_items(
    const struct combinations *of, yyjson_val *list, const struct path *place, const struct field *field)
{
    json_each_item(item, list) {
        struct indexed_item indexed;
        combinations_index(&indexed, place, json_position(item));
        if (yyjson_is_null(item) && field->below)
            check_fields(of, item, &indexed.path, field->below);
        else
            check_value(of, item, &indexed.path, field);
    }
}

static void check_field(
    const struct combinations *of, yyjson_val *value, const struct path *place, const struct field *field)
{
    if (field->presence == FIELD_REQUIRED && is_empty(value) && !is_filled_in(of, field))
        combinations_refuse(of, place, "", "it is required");
    else if (yyjson_is_arr(value))
        check_items(of, value, place, field);
    else if (value || field->presence == FIELD_IMPLIED)
        check_value(of, value, place, field);
}

static void check_members(
    const struct combinations *of, yyjson_val *map, const struct path *place, const struct field *field)
{
    json_each_key(key, map) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        const struct path path = path_member(place, json_text(key));
        check_field(of, value, &path, field);
    }
}

static void check_fields(
    const struct combinations *of, yyjson_val *object, const struct path *place, const struct field *fields)
{
    for (const struct field *field = fields; field->presence != FIELD_END; field++) {
        const struct path path = path_member(place, field->name);
        if (field->name.length)
            check_field(of, set_member(object, field->name), &path, field);
        else
            check_members(of, object, place, field);
    }
}

/* Other versions require other fields. */
static bool is_known(const struct declared_spec *declared)
{
    return slice_equal(declared->version, SLICE("v1")) ||
        (slice_equal(declared->version, SLICE("v2")) &&
         slice_equal(declared->group_kind, SLICE("HorizontalPodAutoscaler.autoscaling")));
}

void combinations_check_required(const struct combinations *of)
{
    const struct declared_spec *declared = of->declared;
    if (declared->is_partial || !is_known(declared))
        return;
    const struct field *fields = combination_fields_of(declared->group_kind);
    if (fields)
        check_fields(of, declared->object, NULL, fields);
}
