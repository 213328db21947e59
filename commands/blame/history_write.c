#include "commands/blame/history_write.h"

#include "audit/mutation.h"
#include "base/array_size.h"
#include "base/text.h"

#include <stdlib.h>

/* A line of the log limits the text of one request; kept text is limited further. */
#define TEXT_BYTES_MAX 1024

const char *history_kind_name(enum history_kind kind)
{
    static const char *const names[] = {"set", "changed", "removed"};
    return names[kind];
}

static void keep(struct history_write *write, size_t *used, struct slice *text, struct slice from)
{
    from = text_cut(from, TEXT_BYTES_MAX);
    if (from.length)
        memcpy(write->bytes + *used, from.bytes, from.length);
    *text = (struct slice){write->bytes + *used, from.length};
    *used += from.length;
}

static struct slice webhooks_of(const struct audit_event *event, struct arena *arena)
{
    struct audit_mutations mutations = audit_mutations_of(event);
    struct audit_mutation mutation;
    struct text text = text_start(arena, 64);
    while (audit_next_mutation(&mutations, arena, &mutation))
        text_append_all(&text, text.length ? ", " : "", mutation.webhook);
    return text_slice(&text);
}

struct history_write *history_write_of(const struct audit_event *event, struct arena *arena)
{
    const struct slice webhooks = webhooks_of(event, arena);
    const struct slice texts[] = {event->ended,   event->user, event->impersonator,       event->user_agent,
                                  event->manager, event->verb, event->object.subresource, webhooks};
    size_t length = 0, used = 0;
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        length += text_cut(texts[i], TEXT_BYTES_MAX).length;
    struct history_write *write = arena_has_failed(arena) ? NULL : malloc(sizeof(*write) + length);
    if (!write)
        return NULL;
    struct slice *const kept[] = {&write->time,    &write->user, &write->impersonator, &write->user_agent,
                                  &write->manager, &write->verb, &write->subresource,  &write->webhooks};
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        keep(write, &used, kept[i], texts[i]);
    write->is_forced = event->is_forced;
    write->references = 1;
    return write;
}

struct history_write *history_write_share(struct history_write *write)
{
    if (write)
        write->references++;
    return write;
}

void history_write_release(struct history_write *write)
{
    if (write && --write->references == 0)
        free(write);
}

void history_write_replace(struct history_write **write, struct history_write *other)
{
    history_write_share(other);
    history_write_release(*write);
    *write = other;
}

static void release(struct history_change *change)
{
    history_write_release(change->write);
    history_write_release(change->after);
}

bool field_history_add(struct field_history **field, const struct history_change *change)
{
    if (!*field)
        *field = calloc(1, sizeof(**field));
    if (!*field)
        return false;
    struct history_change *place = &(*field)->changes[(*field)->count % HISTORY_CHANGES_MAX];
    if ((*field)->count++ >= HISTORY_CHANGES_MAX)
        release(place);
    *place = *change;
    history_write_share(place->write);
    history_write_share(place->after);
    return true;
}

size_t history_kept(const struct field_history *field)
{
    size_t count = field ? field->count : 0;
    return count < HISTORY_CHANGES_MAX ? count : HISTORY_CHANGES_MAX;
}

const struct history_change *history_change(const struct field_history *field, size_t number)
{
    return &field->changes[(field->count - history_kept(field) + number) % HISTORY_CHANGES_MAX];
}

void field_history_free(struct field_history *field)
{
    for (size_t i = 0; i < history_kept(field); i++)
        release(&field->changes[i]);
    free(field);
}
