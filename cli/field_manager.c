#include "cli/field_manager.h"

#include "base/names.h"
#include "base/text.h"
#include "cli/framework/command.h"

/* The API server's limit. */
#define NAME_BYTES_MAX 128

/* Returns NULL if the API server accepts the name. */
static const char *name_problem(const char *name)
{
    struct slice text = slice_of(name);
    if (!text.length)
        return "is empty; name a field manager";
    if (text.length > NAME_BYTES_MAX)
        return "is longer than the 128 bytes that the API server takes for a field manager";
    if (!text_is_printable(text))
        return "has a character that cannot be printed, which the API server takes for no field manager";
    return NULL;
}

const char *field_manager_flag(const char *value, void *field)
{
    const char *problem = name_problem(value);
    return problem ? problem : flag_set_string(value, field);
}

const char *field_managers_flag(const char *value, void *field)
{
    const char *problem = name_problem(value);
    return problem ? problem : names_flag(value, field);
}
