#include "base/json.h"
#include "policy/fieldset/lookup.h"

/* A step of the way: the element, known by where its text lies, and what it led to. */
struct step {
    const char *element;
    enum lookup_result result;
    unsigned end; /* the depth of the topmost element that led nowhere; its own depth where it is found */
    yyjson_val *value;
};

struct lookup_cursor {
    struct lookup *lookup;
    bool is_declared;
    unsigned depth;                        /* how many steps stand */
    struct step steps[JSON_DEPTH_MAX + 1]; /* by depth; the first is the object itself */
};

struct lookup_cursor *lookup_cursor_create(struct lookup *lookup, yyjson_val *object, struct arena *arena)
{
    struct lookup_cursor *cursor = arena_allocate(arena, sizeof(*cursor));
    if (!cursor)
        return NULL;
    cursor->lookup = lookup;
    cursor->is_declared = false;
    cursor->depth = 0;
    cursor->steps[0] = (struct step){NULL, object ? LOOKUP_FOUND : LOOKUP_AMBIGUOUS, 0, object};
    return cursor;
}

struct lookup_cursor *lookup_cursor_create_declared(
    struct lookup *lookup, yyjson_val *configuration, struct arena *arena)
{
    struct lookup_cursor *cursor = lookup_cursor_create(lookup, configuration, arena);
    if (cursor)
        cursor->is_declared = true;
    return cursor;
}

static void take_step(struct lookup_cursor *cursor, const struct path *element)
{
    const struct step *parent = &cursor->steps[element->depth - 1];
    struct step *step = &cursor->steps[element->depth];
    *step = (struct step){element->text.bytes, parent->result, parent->end, NULL};
    cursor->depth = element->depth;
    if (parent->result != LOOKUP_FOUND)
        return;
    step->end = element->depth;
    step->result = cursor->is_declared
        ? lookup_declared_element(cursor->lookup, parent->value, element, &step->value)
        : lookup_element(cursor->lookup, parent->value, element, &step->value);
}

/*
 * Takes the way down to `path` from where it leaves the last one. Two paths may share an element's text, and
 * have other parents: a Secret's data has the names that its stringData declares.
 */
static void go_to(struct lookup_cursor *cursor, const struct path *path)
{
    const struct path *way[JSON_DEPTH_MAX];
    size_t count = 0, left = 0;
    for (const struct path *element = path; element; element = element->parent) {
        const struct step *step = &cursor->steps[element->depth];
        if (cursor->depth < element->depth || step->element != element->text.bytes)
            left = count + 1;
        way[count++] = element;
    }
    while (left)
        take_step(cursor, way[--left]);
}

enum lookup_result lookup_path(
    struct lookup_cursor *cursor, const struct path *path, yyjson_val **found, unsigned *absent_depth)
{
    if (path && path->depth > JSON_DEPTH_MAX)
        return LOOKUP_AMBIGUOUS;
    go_to(cursor, path);
    const struct step *step = &cursor->steps[path ? path->depth : 0];
    if (step->result == LOOKUP_FOUND)
        *found = step->value;
    else
        *absent_depth = step->end;
    return step->result;
}

enum search_answer lookup_declares(struct lookup_cursor *configuration, const struct path *path)
{
    yyjson_val *value = NULL;
    unsigned absent_depth = 0;
    switch (lookup_path(configuration, path, &value, &absent_depth)) {
    case LOOKUP_FOUND:
        return ANSWER_YES;
    case LOOKUP_ABSENT:
        return ANSWER_NO;
    case LOOKUP_SEVERAL:
    case LOOKUP_MISFIT:
    case LOOKUP_AMBIGUOUS:
        break;
    }
    return ANSWER_UNKNOWN;
}
