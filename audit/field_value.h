/* field_value.h: the values of the fields that an entry of managedFields owns. Private to this component. */
#ifndef APPLYGUARD_AUDIT_FIELD_VALUE_H
#define APPLYGUARD_AUDIT_FIELD_VALUE_H

#include "base/arena.h"
#include "base/slice.h"

#include <yyjson.h>

/*
 * The value of a field, named as in fieldsV1: a member (f:image), the item of a list with this key
 * (k:{"name":"web"}), or an item that is this value (v:"example.com/f"). Returns NULL if `value` lacks it.
 */
yyjson_val *audit_field_value(yyjson_val *value, struct slice field, struct arena *arena);

#endif
