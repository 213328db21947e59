#include "audit/user_agent.h"

#include "base/text.h"

/* FieldManagerMaxLength (k8s.io/apimachinery, pkg/apis/meta/v1/validation). */
#define MANAGER_BYTES_MAX 128

/* As most agents are. */
static bool is_printable_ascii(struct slice agent)
{
    size_t printable = 0;
    while (printable < agent.length && agent.bytes[printable] >= ' ' && agent.bytes[printable] < 0x7f)
        printable++;
    return printable == agent.length;
}

struct slice audit_manager_of_agent(struct slice agent, struct arena *arena)
{
    agent = slice_until(agent, slice_find(agent, '/'));
    if (is_printable_ascii(agent))
        return slice_until(agent, MANAGER_BYTES_MAX);
    struct text text = text_start(arena, 64);
    for (size_t length; agent.length; agent = slice_from(agent, length)) {
        if (text_is_unprintable(text_character(agent, &length)))
            continue;
        if (text.length + length > MANAGER_BYTES_MAX)
            break;
        text_append(&text, slice_until(agent, length));
    }
    return text_slice(&text);
}
