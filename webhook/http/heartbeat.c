#include "webhook/http/heartbeat.h"

void heartbeat_look(struct heartbeat *heartbeat, uint64_t beats, uint64_t now)
{
    if (heartbeat->looked_at && now - heartbeat->looked_at < HEARTBEAT_INTERVAL_MS)
        return;
    heartbeat->looked_at = now;
    if (beats != heartbeat->beats)
        heartbeat->misses = 0;
    else if (heartbeat->misses < HEARTBEAT_LOOKS)
        heartbeat->misses++;
    heartbeat->beats = beats;
}

bool heartbeat_is_stuck(const struct heartbeat *heartbeat)
{
    return heartbeat->misses == HEARTBEAT_LOOKS;
}
