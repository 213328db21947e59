#include "commands/blame/follow.h"

#include "audit/logs.h"
#include "commands/blame/history.h"

#include <stdlib.h>

/* The limit of all objects that wait: many times as much as people name. */
#define BYTES_MAX ((size_t)1024 * 1024 * 1024)

bool followed_add(struct followed_objects *objects, struct blame *blame)
{
    size_t bytes = objects->bytes + arena_taken(blame->arena);
    if (bytes > BYTES_MAX)
        return false;
    if (objects->count == objects->capacity) {
        size_t capacity = objects->capacity ? objects->capacity * 2 : 8;
        struct followed *items = realloc(objects->items, capacity * sizeof(*items));
        if (!items)
            return false;
        objects->items = items;
        objects->capacity = capacity;
    }
    struct history *history = history_start(blame);
    if (!history)
        return false;
    objects->items[objects->count++] = (struct followed){.blame = blame, .history = history};
    objects->bytes = bytes;
    return true;
}

static void add(struct followed_objects *objects, const struct audit_event *event)
{
    if (!audit_is_write(event))
        return;
    for (size_t i = 0; i < objects->count; i++)
        objects->items[i].has_failed |= !history_add(objects->items[i].history, event);
}

void followed_read(
    struct followed_objects *objects, const struct names *paths, followed_complain *complain, void *context)
{
    struct error error = {0};
    struct audit_entry entry = {.path = paths->items[0]};
    enum audit_result result;
    struct audit_logs *logs = objects->count ? audit_logs_open(paths->items, paths->count) : NULL;
    if (objects->count && !logs) {
        error_set_out_of_memory(&error);
        complain(context, entry.path, &error);
    }
    while (logs && (result = audit_logs_next(logs, &entry, &error)) != AUDIT_END) {
        if (result == AUDIT_EVENT)
            add(objects, &entry.event);
        else
            complain(context, entry.path, &error);
        error = (struct error){0};
    }
    audit_logs_close(logs);
    for (size_t i = 0; i < objects->count; i++)
        objects->items[i].has_failed |= !history_end(objects->items[i].history);
}

void followed_release(struct followed_objects *objects)
{
    for (size_t i = 0; i < objects->count; i++) {
        history_free(objects->items[i].history);
        arena_destroy(objects->items[i].blame->arena);
    }
    free(objects->items);
    *objects = (struct followed_objects){0};
}
