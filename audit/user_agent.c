#include "audit/user_agent.h"

#include "base/text.h"

/* FieldManagerMaxLength (k8s.io/apimachinery, pkg/apis/meta/v1/validation). */
#define MANAGER_BYTES_MAX 128

struct slice audit_manager_of_agent(struct slice agent, struct arena *arena)
{
    struct text text = text_start(arena, 64);
    agent = slice_until(agent, slice_find(agent, '/'));
    for (size_t length; agent.length; agent = slice_from(agent, length)) {
        if (text_is_unprintable(text_character(agent, &length)))
            continue;
        if (text.length + length > MANAGER_BYTES_MAX)
            break;
        text_append(&text, slice_until(agent, length));
    }
    return text_slice(&text);
}
