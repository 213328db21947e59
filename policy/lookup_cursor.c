#include "policy/json.h"
#include "policy/lookup.h"

/* A step of the way: the element, known by where its text lies, and what it led to. */
struct step {
    const char *element;
    enum lookup_result result;
    yyjson_val *value;
};

struct lookup_cursor {
    struct lookup *lookup;
    unsigned depth;                        /* how many steps stand */
    struct step steps[JSON_DEPTH_MAX + 1]; /* by depth; the first is the object itself */
};

struct lookup_cursor *lookup_cursor_create(struct lookup *lookup, yyjson_val *object, struct arena *arena)
{
    struct lookup_cursor *cursor = arena_allocate(arena, sizeof(*cursor));
    if (!cursor)
        return NULL;
    cursor->lookup = lookup;
    cursor->depth = 0;
    cursor->steps[0] = (struct step){NULL, object ? LOOKUP_FOUND : LOOKUP_AMBIGUOUS, object};
    return cursor;
}

/* Takes the way down to `path` as far as it is not stood on already; returns the depth where it ends. */
static unsigned go_to(struct lookup_cursor *cursor, const struct path *path)
{
    if (!path)
        return 0;
    unsigned depth = go_to(cursor, path->parent);
    const struct step *parent = &cursor->steps[depth];
    if (depth + 1 != path->depth || parent->result != LOOKUP_FOUND)
        return depth;
    struct step *step = &cursor->steps[path->depth];
    if (cursor->depth < path->depth || step->element != path->text.bytes) {
        step->element = path->text.bytes;
        step->result = lookup_element(cursor->lookup, parent->value, path, &step->value);
        cursor->depth = path->depth;
    }
    return path->depth;
}

enum lookup_result lookup_path(
    struct lookup_cursor *cursor, const struct path *path, yyjson_val **found, unsigned *absent_depth)
{
    if (path && path->depth > JSON_DEPTH_MAX)
        return LOOKUP_AMBIGUOUS;
    unsigned depth = go_to(cursor, path);
    const struct step *step = &cursor->steps[depth];
    if (step->result == LOOKUP_FOUND)
        *found = step->value;
    else if (step->result == LOOKUP_ABSENT)
        *absent_depth = depth;
    return step->result;
}
