/*
 * list_difference.h: where two versions of a list differ, in words.
 *
 * A list that is owned as a whole also holds items of the person who applies it, so that its name alone does
 * not show what another writer changed in it.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_LIST_DIFFERENCE_H
#define APPLYGUARD_POLICY_ANALYSIS_LIST_DIFFERENCE_H

#include "base/arena.h"
#include "base/slice.h"

#include <yyjson.h>

/*
 * The place of the first difference, to be appended to the name of the list: ".storage of rs0" for the member
 * of the item with that name, "[0].http.paths" for an item without a name, " (item rs0)" for an item that one
 * version lacks. It ends above a map of which several members differ. Printable. Empty: the values are no
 * lists, or the list as a whole says enough; or memory runs out.
 */
struct slice list_difference(yyjson_val *old_list, yyjson_val *list, struct arena *arena);

#endif
