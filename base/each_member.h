/*
 * each_member.h: a loop over the members of a JSON object.
 */
#ifndef APPLYGUARD_BASE_EACH_MEMBER_H
#define APPLYGUARD_BASE_EACH_MEMBER_H

#include <yyjson.h>

/*
 * Takes each key and value in turn; none if the value is NULL or not an object. yyjson_obj_foreach adds to a
 * NULL pointer then, which C does not define.
 */
#define each_member(object, index, count, key, value)                                                        \
    for ((index) = 0, (count) = yyjson_obj_size(object),                                                     \
        (key) = (count) ? unsafe_yyjson_get_first(object) : NULL, (value) = (count) ? (key) + 1 : NULL;      \
         (index) < (count); (index)++, (key) = unsafe_yyjson_get_next(value), (value) = (key) + 1)

#endif
