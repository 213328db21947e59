#include "webhook/http/slots.h"

#include "system/clock.h"
#include "webhook/http/gate.h"

/* The number of connections that are checked to find one with a slow client. */
#define LOOKS 8

/* If the slots are crowded, new connections are protected for half of the time only. */
#define CROWDED 2

bool slots_open(struct slots *slots, size_t limit, uint32_t silence_ms)
{
    *slots = (struct slots){.limit = limit, .silence_ms = silence_ms};
    for (size_t i = 0; i < SLOT_STATES; i++)
        h2o_linklist_init_anchor(&slots->lists[i]);
    return sources_open(&slots->sources, limit);
}

void slots_close(struct slots *slots)
{
    sources_close(&slots->sources);
}

static void take_out(struct slots *slots, struct slot *slot)
{
    h2o_linklist_unlink(&slot->link);
    slots->counts[slot->state]--;
    if (h2o_linklist_is_linked(&slot->of_source))
        h2o_linklist_unlink(&slot->of_source);
}

static void put(struct slots *slots, struct slot *slot, enum slot_state state)
{
    slot->state = state;
    slot->since = slots->moves++;
    h2o_linklist_insert(&slots->lists[state], &slot->link);
    slots->counts[state]++;
    if (state == SLOT_REVIEWED && slot->source)
        h2o_linklist_insert(&slot->source->idle, &slot->of_source);
}

static void put_first(h2o_linklist_t *list, h2o_linklist_t *link)
{
    h2o_linklist_unlink(link);
    h2o_linklist_insert(list->next, link);
}

static struct traffic traffic(const struct slot *slot, uint64_t now)
{
    return traffic_of(h2o_socket_get_fd(slot->socket), now - gate_read_at(slot->socket));
}

static void start_pace(struct slot *slot)
{
    uint64_t now = monotonic_milliseconds();
    struct traffic seen = traffic(slot, now);
    slot->pace = pace_start(&seen, now);
}

static void move(struct slots *slots, struct slot *slot, enum slot_state state)
{
    if (slot->state == SLOT_EVICTED)
        return;
    if (state == SLOT_BEGUN && slot->state != SLOT_BEGUN) {
        slot->rest = slot->state;
        start_pace(slot);
    }
    take_out(slots, slot);
    put(slots, slot, state);
}

void slot_enter(struct slots *slots, struct slot *slot, h2o_socket_t *socket)
{
    struct source_address address = source_address_of(h2o_socket_get_fd(socket));
    *slot = (struct slot){
        .socket = socket,
        .pace = {.begin = monotonic_milliseconds()},
        .source = source_enter(&slots->sources, address),
    };
    put(slots, slot, SLOT_NEW);
}

void slot_leave(struct slots *slots, struct slot *slot)
{
    take_out(slots, slot);
    source_leave(&slots->sources, slot->source);
}

void slot_asks(struct slots *slots, struct slot *slot)
{
    move(slots, slot, SLOT_BUSY);
}

void slot_is_answered(struct slots *slots, struct slot *slot, bool is_verdict)
{
    move(slots, slot, is_verdict ? SLOT_REVIEWED : SLOT_IDLE);
}

void slot_begins(struct slots *slots, struct slot *slot)
{
    if (slot->state == SLOT_IDLE || slot->state == SLOT_REVIEWED)
        move(slots, slot, SLOT_BEGUN);
}

/* The connection does not become younger: it becomes the first of its list. */
void slot_rests(struct slots *slots, struct slot *slot)
{
    if (slot->state != SLOT_BEGUN)
        return;
    move(slots, slot, slot->rest);
    put_first(&slots->lists[slot->state], &slot->link);
    if (h2o_linklist_is_linked(&slot->of_source))
        put_first(&slot->source->idle, &slot->of_source);
}

/*
 * Whether the connection is idle
 */

static bool has_begun(const struct slot *slot)
{
    return slot->socket->input->size > 0 || h2o_socket_is_writing(slot->socket) ||
        traffic(slot, monotonic_milliseconds()).has_unread;
}

static bool is_stalled(const struct slot *slot, uint32_t patience_ms)
{
    uint64_t now = monotonic_milliseconds();
    struct traffic seen = traffic(slot, now);
    return h2o_socket_is_writing(slot->socket) ? pace_is_slow_to_read(&slot->pace, &seen, now, patience_ms)
                                               : pace_is_slow_to_send(&slot->pace, &seen, now, patience_ms);
}

/*
 * Choosing
 */

static struct slot *first_of(h2o_linklist_t *list)
{
    return h2o_linklist_is_empty(list) ? NULL : H2O_STRUCT_FROM_MEMBER(struct slot, link, list->next);
}

/* No callback reports the first bytes of a request, so only this check finds them. */
static struct slot *first_idle(struct slots *slots, enum slot_state state)
{
    struct slot *slot;
    while ((slot = first_of(&slots->lists[state])) && has_begun(slot))
        move(slots, slot, SLOT_BEGUN);
    return slot;
}

/*
 * Most of the connections have asked nothing so far, or will have asked nothing once the evicted ones are
 * replaced: a burst, or a client that never asks.
 */
static bool is_crowded(const struct slots *slots)
{
    return slots->counts[SLOT_NEW] + slots->counts[SLOT_EVICTED] > slots->limit / 2;
}

/*
 * The first connection of a state without progress. Connections with progress are moved to the end of the
 * list.
 */
static struct slot *first_stalled(struct slots *slots, enum slot_state state, uint32_t patience_ms)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        struct slot *slot = first_of(&slots->lists[state]);
        if (!slot || is_stalled(slot, patience_ms))
            return slot;
        move(slots, slot, state);
    }
    return NULL;
}

static struct slot *first_new(struct slots *slots)
{
    return first_stalled(
        slots, SLOT_NEW, is_crowded(slots) ? slots->silence_ms / CROWDED : slots->silence_ms);
}

static struct slot *first_without_review(struct slots *slots)
{
    struct slot *new = first_new(slots), *idle = first_idle(slots, SLOT_IDLE);
    if (!new || !idle)
        return new ? new : idle;
    return new->since < idle->since ? new : idle;
}

static struct source *largest(const struct sources *sources)
{
    struct source *largest = NULL;
    for (h2o_linklist_t *link = sources->large.next; link != &sources->large; link = link->next) {
        struct source *source = H2O_STRUCT_FROM_MEMBER(struct source, large, link);
        if (!h2o_linklist_is_empty(&source->idle) && (!largest || source->count > largest->count))
            largest = source;
    }
    return largest;
}

static struct slot *first_of_large_source(struct slots *slots)
{
    struct source *source;
    while ((source = largest(&slots->sources))) {
        struct slot *slot = H2O_STRUCT_FROM_MEMBER(struct slot, of_source, source->idle.next);
        if (!has_begun(slot))
            return slot;
        move(slots, slot, SLOT_BEGUN);
    }
    return NULL;
}

struct slot *slots_evict(struct slots *slots)
{
    struct slot *slot = first_without_review(slots);
    if (!slot)
        slot = first_stalled(slots, SLOT_BEGUN, slots->silence_ms);
    if (!slot && is_crowded(slots))
        return NULL;
    if (!slot)
        slot = first_of_large_source(slots);
    if (!slot)
        slot = first_idle(slots, SLOT_REVIEWED);
    if (slot)
        move(slots, slot, SLOT_EVICTED);
    return slot;
}

size_t slots_leaving(const struct slots *slots)
{
    return slots->counts[SLOT_EVICTED];
}

void slots_want(struct slots *slots, size_t count)
{
    slots->wanted = is_crowded(slots) ? 0 : count;
}

bool slot_is_wanted(struct slots *slots, const struct slot *slot)
{
    bool is_its_turn = source_is_large(slot->source) || h2o_linklist_is_empty(&slots->sources.large);
    if (!slots->wanted || !is_its_turn)
        return false;
    slots->wanted--;
    return true;
}
