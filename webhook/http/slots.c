#include "webhook/http/slots.h"

#include "system/clock.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* Half requests that are looked at for one that is silent. */
#define LOOKS 8

/* A crowd of new ones is left alone for half of the time only. */
#define CROWDED 2

/* Who has sent so much of a first request sends a large one, and does not only keep the connection. */
#define LARGE_REQUEST_BYTES ((size_t)16 << 10)

/*
 * Who sends in so many pieces, of fewer bytes each, has no handshake or request to send: it only keeps the
 * connection from being silent. A client of TLS sends two or three pieces before its first request.
 */
#define PIECES 4
#define PIECE_BYTES 64

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

static void move(struct slots *slots, struct slot *slot, enum slot_state state)
{
    if (slot->state == SLOT_EVICTED)
        return;
    take_out(slots, slot);
    put(slots, slot, state);
}

void slot_enter(struct slots *slots, struct slot *slot, h2o_socket_t *socket)
{
    struct source_address address = source_address_of(h2o_socket_get_fd(socket));
    *slot = (struct slot){
        .socket = socket,
        .begin = monotonic_milliseconds(),
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

/*
 * Whether the connection is idle
 */

static bool has_unread(const struct slot *slot)
{
    int unread = 0;
    return ioctl(h2o_socket_get_fd(slot->socket), FIONREAD, &unread) != 0 || unread > 0;
}

static bool has_begun(const struct slot *slot)
{
    return slot->socket->input->size > 0 || h2o_socket_is_writing(slot->socket) || has_unread(slot);
}

static bool read_info(const struct slot *slot, struct tcp_info *info)
{
    socklen_t length = sizeof(*info);
    *info = (struct tcp_info){0};
    return getsockopt(h2o_socket_get_fd(slot->socket), IPPROTO_TCP, TCP_INFO, info, &length) == 0;
}

/*
 * The kernel knows for how long a client has sent nothing, and whether what it sent still waits for us: a
 * loop that is behind does not blame those whom it has kept waiting. Where an answer waits to be read, the
 * client is to blame.
 */
static bool is_silent(const struct slot *slot, uint32_t milliseconds)
{
    struct tcp_info info;
    return (!has_unread(slot) || h2o_socket_is_writing(slot->socket)) && read_info(slot, &info) &&
        info.tcpi_last_data_recv >= milliseconds;
}

/* Whatever the loop does meanwhile: how a client sends is its own doing. */
static bool trickles(const struct slot *slot, uint32_t milliseconds)
{
    struct tcp_info info;
    return monotonic_milliseconds() >= slot->begin + milliseconds && read_info(slot, &info) &&
        info.tcpi_data_segs_in > PIECES &&
        info.tcpi_bytes_received < (uint64_t)PIECE_BYTES * info.tcpi_data_segs_in;
}

/*
 * Choosing
 */

static struct slot *first_of(h2o_linklist_t *list)
{
    return h2o_linklist_is_empty(list) ? NULL : H2O_STRUCT_FROM_MEMBER(struct slot, link, list->next);
}

/* Nobody tells of the first bytes of a request, so they show only here. */
static struct slot *first_idle(struct slots *slots, enum slot_state state)
{
    struct slot *slot;
    while ((slot = first_of(&slots->lists[state])) && has_begun(slot))
        move(slots, slot, SLOT_BEGUN);
    return slot;
}

/*
 * Most of the connections have asked nothing so far, or will not have when those that are cut have made room
 * for others: a burst, or somebody who never asks.
 */
static bool is_crowded(const struct slots *slots)
{
    return slots->counts[SLOT_NEW] + slots->counts[SLOT_EVICTED] > slots->limit / 2;
}

/* The oldest of those that have asked nothing and are silent, or only keep themselves from being silent. */
static struct slot *first_new(struct slots *slots)
{
    uint32_t silence_ms = is_crowded(slots) ? slots->silence_ms / CROWDED : slots->silence_ms;
    for (unsigned i = 0; i < LOOKS; i++) {
        struct slot *slot = first_of(&slots->lists[SLOT_NEW]);
        if (!slot || is_silent(slot, silence_ms) || trickles(slot, silence_ms))
            return slot;
        bool is_large = slot->socket->input->size > LARGE_REQUEST_BYTES;
        move(slots, slot, is_large ? SLOT_BEGUN : SLOT_NEW);
    }
    return NULL;
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

static struct slot *first_stalled(struct slots *slots)
{
    for (unsigned i = 0; i < LOOKS; i++) {
        struct slot *slot = first_of(&slots->lists[SLOT_BEGUN]);
        if (!slot || is_silent(slot, slots->silence_ms))
            return slot;
        move(slots, slot, SLOT_BEGUN);
    }
    return NULL;
}

struct slot *slots_evict(struct slots *slots)
{
    struct slot *slot = first_without_review(slots);
    if (!slot && is_crowded(slots))
        return NULL;
    if (!slot)
        slot = first_of_large_source(slots);
    if (!slot)
        slot = first_idle(slots, SLOT_REVIEWED);
    if (!slot)
        slot = first_stalled(slots);
    if (slot)
        move(slots, slot, SLOT_EVICTED);
    return slot;
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
