/*
 * Whether a selector may match the labels. Labels of which something may still replace a part, such as
 * ${NAME}, may become any.
 */
#include "policy/analysis/combinations_parts.h"

#include "base/json_each.h"
#include "manifest/variable.h"

struct labels {
    yyjson_val *map;
    bool has_open_key;
};

static bool is_open(yyjson_val *text)
{
    return variable_or_template_is_in(json_text(text));
}

static struct labels labels_of(yyjson_val *map)
{
    struct labels labels = {map, false};
    json_each_key(key, map)
        labels.has_open_key |= is_open(key);
    return labels;
}

/* Returns false if the label may become any; otherwise sets it, or NULL if it is absent. */
static bool find_label(const struct labels *labels, yyjson_val *key, yyjson_val **label)
{
    *label = json_member(labels->map, json_text(key));
    return *label ? !is_open(*label) : !labels->has_open_key && !is_open(key);
}

static bool is_same_text(yyjson_val *label, yyjson_val *value)
{
    return yyjson_is_str(label) && json_identical(label, value);
}

static bool has_labels(const struct labels *labels, yyjson_val *wanted)
{
    json_each_key(key, wanted) {
        yyjson_val *value = yyjson_obj_iter_get_val(key), *label;
        if (find_label(labels, key, &label) && yyjson_is_str(value) && !is_open(value) &&
            !is_same_text(label, value))
            return false;
    }
    return true;
}

static bool has_open_item(yyjson_val *list)
{
    json_each_item(item, list)
        if (is_open(item))
            return true;
    return false;
}

static bool meets_expression(const struct labels *labels, yyjson_val *expression)
{
    yyjson_val *operator= member(expression, "operator"), *values = member(expression, "values"), *label;
    if (!find_label(labels, member(expression, "key"), &label) || has_open_item(values))
        return true;
    bool is_value = yyjson_is_str(label) && combinations_has_text(values, json_text(label));
    if (is_text(operator, "In"))
        return is_value;
    if (is_text(operator, "NotIn"))
        return !is_value;
    if (is_text(operator, "Exists"))
        return label;
    return !is_text(operator, "DoesNotExist") || !label;
}

bool combinations_labels_match(yyjson_val *map, yyjson_val *wanted, yyjson_val *expressions)
{
    const struct labels labels = labels_of(map);
    json_each_item(item, expressions)
        if (!meets_expression(&labels, item))
            return false;
    return has_labels(&labels, wanted);
}
