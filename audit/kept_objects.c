#include "audit/kept_objects.h"

#include "base/siphash.h"

#include <stdlib.h>
#include <string.h>

/* The seed is fixed: logs with collisions only cost time. */
uint64_t kept_hash(struct slice text)
{
    return siphash(text, (struct siphash_seed){{0x6170706c79, 0x6775617264}});
}

void kept_time_copy(char bytes[KEPT_TIME_BYTES], struct slice time)
{
    memset(bytes, 0, KEPT_TIME_BYTES);
    time = slice_until(time, KEPT_TIME_BYTES);
    if (time.length)
        memcpy(bytes, time.bytes, time.length);
}

struct slice kept_time(const char bytes[KEPT_TIME_BYTES])
{
    return (struct slice){bytes, strnlen(bytes, KEPT_TIME_BYTES)};
}

void kept_objects_release(struct kept_objects *objects)
{
    for (struct kept_object *object = objects->newest, *older; object; object = older) {
        older = object->older;
        free(object);
    }
    for (size_t i = 0; i < KEPT_REPLACED_MAX; i++)
        free(objects->replaced[i]);
}

static bool has_key(const struct kept_object *object, const struct kept_key *key)
{
    return object->key.hash == key->hash && slice_equal(object->key.text, key->text);
}

struct kept_object *kept_objects_find(const struct kept_objects *objects, const struct kept_key *key)
{
    struct kept_object *object = objects->buckets[key->hash % KEPT_BUCKETS];
    while (object && !has_key(object, key))
        object = object->next;
    return object;
}

static void link_object(struct kept_objects *objects, struct kept_object *object)
{
    struct kept_object **bucket = &objects->buckets[object->key.hash % KEPT_BUCKETS];
    object->next = *bucket;
    *bucket = object;
    object->newer = NULL;
    object->older = objects->newest;
    *(objects->newest ? &objects->newest->newer : &objects->oldest) = object;
    objects->newest = object;
    objects->bytes += object->bytes;
}

static void unlink_object(struct kept_objects *objects, struct kept_object *object)
{
    struct kept_object **place = &objects->buckets[object->key.hash % KEPT_BUCKETS];
    while (*place != object)
        place = &(*place)->next;
    *place = object->next;
    *(object->newer ? &object->newer->older : &objects->newest) = object->older;
    *(object->older ? &object->older->newer : &objects->oldest) = object->newer;
    objects->bytes -= object->bytes;
}

void kept_objects_drop(struct kept_objects *objects, struct kept_object *object)
{
    unlink_object(objects, object);
    free(object);
}

/* The share of the memory that replaced objects may take: one in 16. */
static bool is_large(const struct kept_objects *objects, const struct kept_object *object)
{
    return object->bytes > objects->bytes_max / 16 / KEPT_REPLACED_MAX;
}

void kept_objects_put_replaced(struct kept_objects *objects, struct kept_object *object)
{
    if (is_large(objects, object)) {
        free(object);
        return;
    }
    struct kept_object **place = &objects->replaced[objects->replaced_next++ % KEPT_REPLACED_MAX];
    free(*place);
    *place = object;
}

struct kept_object *kept_objects_find_replaced(
    const struct kept_objects *objects, const struct kept_key *key, struct slice uid, uint64_t version_max)
{
    struct kept_object *found = NULL;
    for (size_t i = 0; i < KEPT_REPLACED_MAX; i++) {
        struct kept_object *object = objects->replaced[i];
        if (object && object->version <= version_max && (!found || object->version > found->version) &&
            has_key(object, key) && slice_equal(object->uid, uid))
            found = object;
    }
    return found;
}

static void note_forgotten(struct kept_objects *objects, const struct kept_key *key)
{
    size_t bit = key->hash % KEPT_FORGOTTEN_BITS;
    objects->forgotten[bit / 8] |= (uint8_t)(1u << bit % 8);
}

bool kept_objects_has_forgotten(const struct kept_objects *objects, const struct kept_key *key)
{
    size_t bit = key->hash % KEPT_FORGOTTEN_BITS;
    return objects->forgotten[bit / 8] & 1u << bit % 8;
}

static struct slice put(char **end, struct slice text)
{
    struct slice copy = {*end, text.length};
    if (text.length)
        memcpy(*end, text.bytes, text.length);
    *end += text.length;
    return copy;
}

struct kept_object *kept_object_make(
    const struct kept_key *key, struct slice uid, struct slice api_version, struct slice json,
    struct slice former)
{
    size_t bytes = sizeof(struct kept_object) + key->text.length + uid.length + api_version.length +
        json.length + former.length;
    struct kept_object *object = malloc(bytes);
    if (!object)
        return NULL;
    char *end = (char *)(object + 1);
    *object = (struct kept_object){.key = *key, .bytes = bytes};
    object->key.text = put(&end, key->text);
    object->uid = put(&end, uid);
    object->api_version = put(&end, api_version);
    object->json = put(&end, json);
    object->former = put(&end, former);
    return object;
}

void kept_objects_put(struct kept_objects *objects, struct kept_object *object)
{
    struct kept_object *former = kept_objects_find(objects, &object->key);
    if (former) {
        unlink_object(objects, former);
        kept_objects_put_replaced(objects, former);
    }
    if (object->bytes > objects->bytes_max) {
        note_forgotten(objects, &object->key);
        free(object);
        return;
    }
    while (objects->oldest && objects->bytes + object->bytes > objects->bytes_max) {
        note_forgotten(objects, &objects->oldest->key);
        kept_objects_drop(objects, objects->oldest);
    }
    link_object(objects, object);
}
