#include "base/digits.h"
#include "policy/fieldset/lookup_state.h"

/* Lists of more items are not walked to a position. */
#define WALKED_ITEMS_MAX 32

/* No built-in type emits positions; where finding one would mean walking a long list, it is left alone. */
static enum lookup_result lookup_index(yyjson_val *list, struct slice digits, yyjson_val **found)
{
    size_t index = 0;
    if (digits.length > 9 || yyjson_arr_size(list) > WALKED_ITEMS_MAX || !digits_parse(digits, &index))
        return LOOKUP_AMBIGUOUS;
    *found = yyjson_arr_get(list, index);
    return *found ? LOOKUP_FOUND : LOOKUP_ABSENT;
}

enum lookup_result lookup_element(
    struct lookup *lookup, yyjson_val *parent, const struct path *element, yyjson_val **found)
{
    if (element->kind == PATH_FIELD) {
        if (yyjson_is_arr(parent))
            return LOOKUP_MISFIT;
        *found = lookup_member(lookup, parent, element->text);
        return *found ? LOOKUP_FOUND : LOOKUP_ABSENT;
    }
    if (yyjson_is_null(parent))
        return LOOKUP_ABSENT;
    if (!yyjson_is_arr(parent))
        return LOOKUP_MISFIT;
    if (element->kind == PATH_INDEX)
        return lookup_index(parent, element->text, found);
    return lookup_item(lookup, parent, element, found);
}

enum lookup_result lookup_declared_element(
    struct lookup *lookup, yyjson_val *parent, const struct path *element, yyjson_val **found)
{
    if (element->kind == PATH_FIELD) {
        *found = lookup_member(lookup, parent, element->text);
        return *found ? LOOKUP_FOUND : LOOKUP_ABSENT;
    }
    if (!yyjson_is_arr(parent))
        return LOOKUP_ABSENT;
    if (element->kind == PATH_INDEX)
        return LOOKUP_AMBIGUOUS;
    return element->kind == PATH_KEY ? lookup_declared_item(lookup, parent, element, found)
                                     : lookup_item(lookup, parent, element, found);
}
