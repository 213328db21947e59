/*
 * json_each.h: loops over the items of a JSON list, and over the keys of a JSON object.
 *
 * The value of a key is yyjson_obj_iter_get_val(key). There is nothing to visit if the list or object is NULL
 * or another value. `break` and `continue` do what they do in any loop. Within a loop over a list,
 * json_position(item) is the item's position from 0.
 */
#ifndef APPLYGUARD_BASE_JSON_EACH_H
#define APPLYGUARD_BASE_JSON_EACH_H

#include <yyjson.h>

#define json_each_item(item, list)                                                                           \
    for (yyjson_arr_iter item##_rest = yyjson_arr_iter_with(list), *item##_all = &item##_rest; item##_all;   \
         item##_all = NULL)                                                                                  \
        for (yyjson_val * item; (item = yyjson_arr_iter_next(item##_all));)

#define json_position(item) (item##_all->idx - 1)

#define json_each_key(key, object)                                                                           \
    for (yyjson_obj_iter key##_rest = yyjson_obj_iter_with(object), *key##_all = &key##_rest; key##_all;     \
         key##_all = NULL)                                                                                   \
        for (yyjson_val * key; (key = yyjson_obj_iter_next(key##_all));)

#endif
