#include "cli/shared_flags.h"

#include "policy/action.h"

const char *flag_set_fail_on(const char *value, void *field)
{
    enum action action;
    if (!action_parse(slice_of(value), &action) || action < ACTION_AUDIT)
        return flag_no_choice;
    *(enum action *)field = action;
    return NULL;
}
