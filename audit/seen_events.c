#include "audit/seen_events.h"

#include "base/array_size.h"

#include <string.h>

/*
 * A client may choose the audit ID, and give several requests the same one to hide the others. So the hash
 * covers all parts that distinguish requests. Never 0.
 */
static uint64_t hash_of(const struct audit_event *event, struct siphash_seed seed)
{
    const struct audit_object *object = &event->object;
    const struct slice parts[] = {event->id,    event->started,     event->ended,  event->user,
                                  event->verb,  object->resource,   object->group, object->namespace,
                                  object->name, object->subresource};
    char bytes[512];
    size_t length = 0;
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
        struct slice part = parts[i];
        /* A long part is hashed first. */
        if (part.length > 64) {
            seed.words[0] ^= siphash(part, seed);
            part = (struct slice){"", 1};
        }
        if (length + part.length + 1 > sizeof(bytes)) {
            seed.words[0] ^= siphash((struct slice){bytes, length}, seed);
            length = 0;
        }
        if (part.length)
            memcpy(bytes + length, part.bytes, part.length);
        length += part.length;
        bytes[length++] = '\0';
    }
    uint64_t hash = siphash((struct slice){bytes, length}, seed);
    return hash ? hash : 1;
}

/* The place of the hash, or else the empty place for it. */
static uint64_t *place_of(struct seen_table *table, uint64_t hash)
{
    size_t place = hash % ARRAY_SIZE(table->hashes);
    while (table->hashes[place] && table->hashes[place] != hash)
        place = (place + 1) % ARRAY_SIZE(table->hashes);
    return &table->hashes[place];
}

bool seen_events_add(struct seen_events *seen, const struct audit_event *event)
{
    uint64_t hash = hash_of(event, seen->seed);
    struct seen_table *newest = &seen->tables[seen->newest], *other = &seen->tables[!seen->newest];
    uint64_t *place = place_of(newest, hash);
    if (*place)
        return true;
    bool is_old = *place_of(other, hash);
    if (newest->count == SEEN_EVENTS_MIN) {
        memset(other, 0, sizeof(*other));
        seen->newest = !seen->newest;
        newest = other;
        place = place_of(newest, hash);
    }
    *place = hash;
    newest->count++;
    return is_old;
}
