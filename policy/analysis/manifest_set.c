#include "policy/analysis/manifest_set.h"

#include "base/count.h"
#include "policy/verdict/message_name.h"

#include <stdint.h>

#define SLOTS_MIN ((size_t)64)

/* The limit, in printed bytes, of a file's name in a sentence. */
#define MESSAGE_FILE_BYTES 64

/* An object or a field of it: where it is declared first, and what scales the object. Either may be missing.
 */
struct node {
    struct node *next; /* of the same slot */
    uint64_t hash;
    struct slice key;
    bool is_declared;
    struct document_place place;
    struct slice source; /* of an object: one that declares it; empty: none, or there is one source */
    bool is_shared;      /* of an object: others declare it, too */
    struct manifest_autoscaler *autoscaler;
};

struct manifest_set {
    struct arena *arena;
    struct siphash_seed seed;
    struct node **slots; /* a power of two of them */
    size_t slot_count;
    size_t node_count;
};

struct manifest_set *manifest_set_create(struct arena *arena, struct siphash_seed seed)
{
    struct manifest_set *set = arena_allocate(arena, sizeof(*set));
    if (!set)
        return NULL;
    *set = (struct manifest_set){.arena = arena, .seed = seed, .slot_count = SLOTS_MIN};
    set->slots = arena_allocate_array(arena, set->slot_count, sizeof(*set->slots));
    return set->slots ? set : NULL;
}

/* Parts with their lengths in front, so that no two things have the same key. */
static struct slice key_of(
    const struct manifest_identity *object, struct slice source, struct slice field, struct arena *arena)
{
    const struct slice parts[] = {object->group_kind, object->namespace, object->name, source, field};
    struct text key = text_start(arena, 128);
    for (size_t i = 0; i < COUNT(parts); i++) {
        text_append_number(&key, parts[i].length);
        text_append_string(&key, ":");
        text_append(&key, parts[i]);
    }
    return text_slice(&key);
}

static struct node *find(const struct manifest_set *set, struct slice key, uint64_t hash)
{
    struct node *node = set->slots[hash & (set->slot_count - 1)];
    while (node && (node->hash != hash || !slice_equal(node->key, key)))
        node = node->next;
    return node;
}

/* Leaves the old slots to the arena: together they are no more than the new ones. */
static bool grow(struct manifest_set *set)
{
    size_t count = set->slot_count * 2;
    struct node **slots = arena_allocate_array(set->arena, count, sizeof(struct node *));
    if (!slots)
        return false;
    for (size_t i = 0; i < set->slot_count; i++)
        for (struct node *node = set->slots[i], *next; node; node = next) {
            next = node->next;
            node->next = slots[node->hash & (count - 1)];
            slots[node->hash & (count - 1)] = node;
        }
    set->slots = slots;
    set->slot_count = count;
    return true;
}

static struct node *find_or_add(struct manifest_set *set, struct slice key)
{
    uint64_t hash = siphash(key, set->seed);
    struct node *node = key.bytes ? find(set, key, hash) : NULL;
    if (node || !key.bytes || (set->node_count >= set->slot_count && !grow(set)))
        return node;
    node = arena_allocate(set->arena, sizeof(*node));
    if (!node)
        return NULL;
    struct node **slot = &set->slots[hash & (set->slot_count - 1)];
    *node = (struct node){.next = *slot, .hash = hash, .key = key};
    *slot = node;
    set->node_count++;
    return node;
}

static bool declare(struct manifest_set *set, struct slice key, const struct document_place *place)
{
    struct node *node = find_or_add(set, key);
    if (!node)
        return false;
    if (node->is_declared && node->place.order <= place->order)
        return true;
    node->is_declared = true;
    node->place = *place;
    return true;
}

static const struct slice nothing = {NULL, 0};

static bool add_source(struct manifest_set *set, const struct manifest_identity *object, struct slice source)
{
    struct node *node = find_or_add(set, key_of(object, nothing, nothing, set->arena));
    if (!node)
        return false;
    node->is_shared |= node->source.length && !slice_equal(node->source, source);
    node->source = source;
    return true;
}

bool manifest_set_add(
    struct manifest_set *set, const struct manifest_identity *object, const struct document_place *place)
{
    return declare(set, key_of(object, place->source, nothing, set->arena), place) &&
        (!place->source.length || add_source(set, object, place->source));
}

bool manifest_set_add_field(
    struct manifest_set *set, const struct manifest_identity *object, struct slice field,
    const struct document_place *place)
{
    return declare(set, key_of(object, nothing, field, set->arena), place);
}

bool manifest_set_add_autoscaler(
    struct manifest_set *set, const struct manifest_autoscaler *autoscaler,
    const struct manifest_identity *target)
{
    struct node *node = find_or_add(set, key_of(target, nothing, nothing, set->arena));
    if (!node)
        return false;
    if (node->autoscaler && node->autoscaler->place.order <= autoscaler->place.order)
        return true;
    struct manifest_autoscaler *copy = arena_allocate(set->arena, sizeof(*copy));
    if (!copy)
        return false;
    *copy = *autoscaler;
    copy->identity.group_kind = arena_copy(set->arena, autoscaler->identity.group_kind);
    copy->identity.namespace = arena_copy(set->arena, autoscaler->identity.namespace);
    copy->identity.name = arena_copy(set->arena, autoscaler->identity.name);
    node->autoscaler = copy;
    return !arena_has_failed(set->arena);
}

static const struct node *lookup(const struct manifest_set *set, struct slice key)
{
    return key.bytes ? find(set, key, siphash(key, set->seed)) : NULL;
}

static const struct document_place *place_of(const struct node *node)
{
    return node && node->is_declared ? &node->place : NULL;
}

const struct document_place *manifest_set_first(
    const struct manifest_set *set, const struct manifest_identity *object, struct slice source,
    struct arena *scratch)
{
    return place_of(lookup(set, key_of(object, source, nothing, scratch)));
}

bool manifest_set_is_shared(
    const struct manifest_set *set, const struct manifest_identity *object, struct arena *scratch)
{
    const struct node *node = lookup(set, key_of(object, nothing, nothing, scratch));
    return node && (node->is_shared || (node->is_declared && node->source.length));
}

const struct document_place *manifest_set_first_of_field(
    const struct manifest_set *set, const struct manifest_identity *object, struct slice field,
    struct arena *scratch)
{
    return place_of(lookup(set, key_of(object, nothing, field, scratch)));
}

const struct manifest_autoscaler *manifest_set_autoscaler_of(
    const struct manifest_set *set, const struct manifest_identity *target, struct arena *scratch)
{
    const struct node *node = lookup(set, key_of(target, nothing, nothing, scratch));
    return node ? node->autoscaler : NULL;
}

void manifest_identity_append(struct text *text, const struct manifest_identity *object)
{
    struct slice kind = slice_until(object->group_kind, slice_find(object->group_kind, '.'));
    message_append_cut(text, kind, MESSAGE_NAMESPACE_BYTES);
    text_append_string(text, " ");
    message_append_name(text, object->name);
}

void document_place_append(struct text *text, const struct document_place *place)
{
    message_append_cut(text, place->file, MESSAGE_FILE_BYTES);
    text_append_string(text, ":");
    text_append_number(text, place->line);
}
