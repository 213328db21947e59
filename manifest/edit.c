#include "manifest/edit.h"

static struct manifest_node *new_node(enum manifest_kind kind, struct arena *arena)
{
    struct manifest_node *node = arena_allocate_array(arena, 1, sizeof(*node));
    if (node) {
        node->kind = kind;
        node->nodes = 1;
    }
    return node;
}

const struct manifest_node *manifest_string(struct slice text, struct arena *arena)
{
    struct manifest_node *node = new_node(MANIFEST_STRING, arena);
    if (node) {
        node->string = text;
        node->text_bytes = text.length;
    }
    return node;
}

static void count_member(struct manifest_node *map, const struct manifest_member *member)
{
    map->nodes += 1 + member->value->nodes;
    map->text_bytes += member->key.length + member->value->text_bytes;
}

/* A copy of the map without the key, with space for one more member. */
static struct manifest_node *copy_without(
    const struct manifest_node *map, struct slice key, struct manifest_member **members, struct arena *arena)
{
    size_t count = map && map->kind == MANIFEST_MAP ? map->count : 0;
    struct manifest_node *copy = new_node(MANIFEST_MAP, arena);
    *members = arena_allocate_array(arena, count + 1, sizeof(**members));
    if (!copy || !*members)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        if (slice_equal(map->members[i].key, key))
            continue;
        (*members)[copy->count++] = map->members[i];
        count_member(copy, &map->members[i]);
    }
    copy->place = count ? map->place : copy->place;
    copy->members = *members;
    return copy;
}

const struct manifest_node *manifest_remove_member(
    const struct manifest_node *map, struct slice key, struct arena *arena)
{
    struct manifest_member *members;
    return copy_without(map, key, &members, arena);
}

const struct manifest_node *manifest_set_member(
    const struct manifest_node *map, struct slice key, const struct manifest_node *value, struct arena *arena)
{
    struct manifest_member *members;
    struct manifest_node *copy = value ? copy_without(map, key, &members, arena) : NULL;
    if (!copy)
        return NULL;
    size_t at = copy->count++;
    for (; at && slice_compare(members[at - 1].key, key) > 0; at--)
        members[at] = members[at - 1];
    members[at] = (struct manifest_member){.key = key, .key_place = value->place, .value = value};
    count_member(copy, &members[at]);
    return copy;
}
