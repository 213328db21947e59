#include "commands/replay/doubts.h"

#include "base/array_size.h"
#include "base/siphash.h"
#include "base/utc_time.h"

struct replay_doubt *replay_doubt_of(struct replay_doubt *doubts, const struct replay_write *write)
{
    const struct audit_object *object = &write->event->object;
    const struct slice parts[] = {object->group, object->resource, object->namespace, write->name};
    struct siphash_seed seed = {{0x7265706c6179, 0x646f756274}};
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
        seed.words[0] = siphash(parts[i], seed);
    return &doubts[seed.words[0] % REPLAY_DOUBTS];
}

static void add(struct replay_doubt *doubt, int64_t time, uint64_t writer)
{
    doubt->writes[doubt->next] = (struct takeover_unseen){time, writer};
    doubt->next = (doubt->next + 1) % TAKEOVER_UNSEEN_MAX;
    doubt->count += doubt->count < TAKEOVER_UNSEEN_MAX;
}

void replay_doubt_add(struct replay_doubt *doubt, const struct replay_write *write)
{
    int64_t time = utc_time_seconds(write->time);
    bool is_create = write->event->code == 201 || slice_equal(write->event->verb, SLICE("create"));
    if (write->reason == REPLAY_NO_REASON || write->event->is_dry_run || is_create || write->takes_are_known)
        return;
    doubt->reason = write->reason == REPLAY_GROUPS ? REPLAY_GROUPS : REPLAY_GAP;
    add(doubt, time, takeover_writer_of(write->manager));
    if (write->lacks_former)
        add(doubt, time, 0);
}
