#include "policy/analysis/manifest_set.h"

#include "base/array_size.h"
#include "policy/verdict/message.h"

#include <stdint.h>

#define SLOTS_MIN ((size_t)64)

/*
 * An object, one of a source and a root, a field of an object, or a root: where it is declared first, and
 * what scales the object. Either may be missing.
 */
struct node {
    struct node *next; /* of the same slot */
    uint64_t hash;
    struct slice key;
    const struct document_place *place; /* NULL: it is declared nowhere */
    bool is_of_sources;                 /* several declare it */
    bool is_of_roots;                   /* the same, among roots */
    bool is_of_files;                   /* the same, among files; of one source and root */
    struct slice repeating;             /* the last file of the root that repeats an object of another one */
    size_t repeating_count;             /* the number of these files */
    struct manifest_autoscaler *autoscaler;
    const struct declared_topology *topology; /* NULL: of no CustomResourceDefinition */
};

struct declared_topology {
    const struct crd_topology *topology;
    struct document_place place;
};

struct manifest_set {
    struct arena *arena;
    struct siphash_seed seed;
    struct node **slots; /* a power of two of them */
    size_t slot_count;
    size_t node_count;
    bool has_sources; /* a place has a source */
    bool has_roots;   /* a place has a root */
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

static const struct slice nothing = {NULL, 0};

/*
 * The lengths of the parts come first, so that no two things have the same key: no document and no path has 4
 * GiB.
 */
static struct slice key_of(
    const struct manifest_identity *object, struct slice source, struct slice root, struct slice field,
    struct arena *arena)
{
    const struct slice parts[] = {object->group_kind, object->namespace, object->name, source, root, field};
    uint32_t lengths[ARRAY_SIZE(parts)];
    size_t whole = sizeof(lengths);
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
        lengths[i] = (uint32_t)parts[i].length;
        whole += parts[i].length;
    }
    char *key = arena_allocate(arena, whole), *end = key;
    if (!key)
        return nothing;
    memcpy(end, lengths, sizeof(lengths));
    end += sizeof(lengths);
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
        if (parts[i].length)
            memcpy(end, parts[i].bytes, parts[i].length);
        end += parts[i].length;
    }
    return (struct slice){key, whole};
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

static struct slice key_of_object(const struct manifest_identity *object, struct arena *arena)
{
    return key_of(object, nothing, nothing, nothing, arena);
}

static struct slice key_of_field(
    const struct manifest_identity *object, struct slice field, struct arena *arena)
{
    return key_of(object, nothing, nothing, field, arena);
}

static const struct document_place *copy_place(const struct document_place *place, struct arena *arena)
{
    struct document_place *copy = arena_allocate(arena, sizeof(*copy));
    if (copy)
        *copy = *place;
    return copy;
}

/* `place` lives as long as the set; NULL: memory ran out. Returns NULL if memory runs out. */
static const struct node *declare(
    struct manifest_set *set, struct slice key, const struct document_place *place)
{
    struct node *node = place ? find_or_add(set, key) : NULL;
    if (!node)
        return NULL;
    set->has_sources |= place->source.length != 0;
    set->has_roots |= place->root.length != 0;
    if (node->place) {
        node->is_of_sources |= !slice_equal(node->place->source, place->source);
        node->is_of_roots |= !slice_equal(node->place->root, place->root);
        node->is_of_files |= !slice_equal(node->place->file, place->file);
    }
    if (!node->place || place->order < node->place->order)
        node->place = place;
    return node;
}

static struct slice key_of_root(const struct document_place *place, struct arena *arena)
{
    static const struct manifest_identity no_object;
    return key_of(&no_object, place->source, place->root, nothing, arena);
}

/* Counts the files of a directory that repeat objects of the files before them. */
static bool count_repeating(
    struct manifest_set *set, const struct node *object, const struct document_place *place)
{
    if (!place->root.length || slice_equal(object->place->file, place->file))
        return true;
    struct node *root = find_or_add(set, key_of_root(place, set->arena));
    if (!root)
        return false;
    root->repeating_count += !slice_equal(root->repeating, place->file);
    root->repeating = place->file;
    return true;
}

bool manifest_set_add(
    struct manifest_set *set, const struct manifest_identity *object, const struct document_place *place)
{
    const struct document_place *kept = copy_place(place, set->arena);
    if (!declare(set, key_of_object(object, set->arena), kept))
        return false;
    if (!place->source.length && !place->root.length)
        return true;
    const struct node *node =
        declare(set, key_of(object, place->source, place->root, nothing, set->arena), kept);
    return node && count_repeating(set, node, place);
}

bool manifest_set_add_field(
    struct manifest_set *set, const struct manifest_identity *object, struct slice field,
    const struct document_place *place)
{
    return declare(set, key_of_field(object, field, set->arena), copy_place(place, set->arena));
}

static bool scale(struct manifest_set *set, struct slice key, struct manifest_autoscaler *autoscaler)
{
    struct node *node = find_or_add(set, key);
    if (node && (!node->autoscaler || autoscaler->place.order < node->autoscaler->place.order))
        node->autoscaler = autoscaler;
    return node;
}

bool manifest_set_add_autoscaler(
    struct manifest_set *set, const struct manifest_autoscaler *autoscaler,
    const struct manifest_identity *target)
{
    struct arena *arena = set->arena;
    struct manifest_autoscaler *copy = arena_allocate(arena, sizeof(*copy));
    if (!copy)
        return false;
    *copy = *autoscaler;
    copy->identity.group_kind = arena_copy(arena, autoscaler->identity.group_kind);
    copy->identity.namespace = arena_copy(arena, autoscaler->identity.namespace);
    copy->identity.name = arena_copy(arena, autoscaler->identity.name);
    if (arena_has_failed(arena) || !scale(set, key_of_object(target, arena), copy))
        return false;
    return !copy->place.root.length ||
        scale(set, key_of(target, nothing, copy->place.root, nothing, arena), copy);
}

static const struct node *lookup(const struct manifest_set *set, struct slice key)
{
    return key.bytes ? find(set, key, siphash(key, set->seed)) : NULL;
}

static const struct document_place *place_of(const struct node *node)
{
    return node ? node->place : NULL;
}

const struct document_place *manifest_set_first(
    const struct manifest_set *set, const struct manifest_identity *object,
    const struct document_place *place, struct arena *scratch)
{
    return place_of(lookup(set, key_of(object, place->source, place->root, nothing, scratch)));
}

const struct document_place *manifest_set_alternative(
    const struct manifest_set *set, const struct manifest_identity *object,
    const struct document_place *place, struct arena *scratch)
{
    if (!set->has_roots)
        return NULL;
    const struct document_place *first = place_of(lookup(set, key_of_object(object, scratch)));
    bool is_other = first && first->order < place->order && slice_equal(first->source, place->source) &&
        !slice_equal(first->root, place->root);
    return is_other && !first->is_kustomized && !place->is_kustomized ? first : NULL;
}

/* Several of its files repeat objects of others: they are not applied together. */
static bool is_of_alternatives(
    const struct manifest_set *set, const struct document_place *place, struct arena *scratch)
{
    if (!place->root.length || place->is_kustomized)
        return false;
    const struct node *root = lookup(set, key_of_root(place, scratch));
    return root && root->repeating_count > 1;
}

bool manifest_set_are_alternatives(
    const struct manifest_set *set, const struct document_place *place, const struct document_place *other,
    struct arena *scratch)
{
    return !slice_equal(place->file, other->file) && is_of_alternatives(set, place, scratch);
}

bool manifest_set_add_topology(
    struct manifest_set *set, const struct manifest_identity *object, const struct crd_topology *topology,
    const struct document_place *place)
{
    struct node *node = find_or_add(set, key_of_object(object, set->arena));
    if (!node || (node->topology && node->topology->place.order < place->order))
        return node;
    struct declared_topology *declared = arena_allocate(set->arena, sizeof(*declared));
    if (!declared)
        return false;
    *declared = (struct declared_topology){crd_topology_copy(topology, set->arena), *place};
    node->topology = declared;
    return declared->topology;
}

const struct crd_topology *manifest_set_topology(
    const struct manifest_set *set, const struct manifest_identity *object,
    const struct document_place **place, struct arena *scratch)
{
    const struct node *node = lookup(set, key_of_object(object, scratch));
    *place = node && node->topology ? &node->topology->place : NULL;
    return *place ? node->topology->topology : NULL;
}

bool manifest_set_is_shared(
    const struct manifest_set *set, const struct manifest_identity *object, struct arena *scratch)
{
    const struct node *node = set->has_sources ? lookup(set, key_of_object(object, scratch)) : NULL;
    return node && node->is_of_sources;
}

const struct document_place *manifest_set_first_of_field(
    const struct manifest_set *set, const struct manifest_identity *object, struct slice field,
    struct arena *scratch)
{
    return place_of(lookup(set, key_of_field(object, field, scratch)));
}

const struct manifest_autoscaler *manifest_set_autoscaler_of(
    const struct manifest_set *set, const struct manifest_identity *target,
    const struct document_place *place, struct arena *scratch)
{
    const struct node *own = lookup(set, key_of(target, nothing, place->root, nothing, scratch));
    if (own && own->autoscaler) {
        const struct document_place *other = &own->autoscaler->place;
        bool is_unknown = own->is_of_files && manifest_set_are_alternatives(set, place, other, scratch);
        return is_unknown ? NULL : own->autoscaler;
    }
    const struct node *any = lookup(set, key_of_object(target, scratch));
    return any && !any->is_of_roots ? any->autoscaler : NULL;
}

static void append_identity(struct text *text, const void *item, size_t count, size_t total)
{
    const struct manifest_identity *object = item;
    (void)count, (void)total;
    struct slice kind = slice_until(object->group_kind, slice_find(object->group_kind, '.'));
    text_append_all(text, message_marked(kind), " ", message_marked(object->name));
}

struct text_listed manifest_identity_text(const struct manifest_identity *object)
{
    return (struct text_listed){append_identity, object, 1, 1};
}

static void append_place(struct text *text, const void *item, size_t count, size_t total)
{
    const struct document_place *place = item;
    (void)count, (void)total;
    text_append_printable(text, place->file);
    if (place->line)
        text_append_all(text, ":", place->line);
}

struct text_listed document_place_text(const struct document_place *place)
{
    return (struct text_listed){append_place, place, 1, 1};
}
