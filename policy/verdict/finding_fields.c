#include "policy/verdict/finding_fields.h"

#include "base/text.h"
#include "policy/verdict/finding.h"

bool finding_fields_start(struct finding_fields *fields, struct arena *arena)
{
    *fields = (struct finding_fields){
        .arena = arena, .items = arena_allocate_array(arena, FINDING_FIELDS_MAX, sizeof(*fields->items))};
    return fields->items;
}

static struct slice print(struct finding_fields *fields, const struct path *path)
{
    struct text text = text_start(fields->arena, 96);
    path_append(&text, path);
    return text_slice(&text);
}

void finding_fields_add(struct finding_fields *fields, const struct path *path)
{
    fields->total++;
    if (fields->listed < FINDING_FIELDS_MAX)
        fields->items[fields->listed++] = print(fields, path);
}

void finding_fields_add_once(struct finding_fields *fields, const struct path *path)
{
    struct arena_mark start = arena_mark(fields->arena);
    struct slice field = print(fields, path);
    bool is_listed = false;
    for (size_t i = 0; i < fields->listed && !is_listed; i++)
        is_listed = slice_equal(fields->items[i], field);
    fields->total += !is_listed;
    if (!is_listed && fields->listed < FINDING_FIELDS_MAX)
        fields->items[fields->listed++] = field;
    else
        arena_rewind(fields->arena, start);
}
