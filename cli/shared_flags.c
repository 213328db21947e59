#include "cli/shared_flags.h"

#include "base/digits.h"
#include "policy/action.h"

#include <string.h>

/* More shards than a cluster or a log needs. */
#define SHARDS_MAX 10000

const char *flag_set_output(const char *value, void *field)
{
    output_format_parse(slice_of(value), field);
    return NULL;
}

const char *flag_set_fail_on(const char *value, void *field)
{
    action_parse(slice_of(value), field);
    return NULL;
}

/* I/N, from 1 on; 0/N is N/N, so that the index of a Job's pod can be used. */
const char *flag_set_shard(const char *value, void *field)
{
    size_t shard, count, slash = strcspn(value, "/");
    struct slice text = slice_of(value);
    if (!digits_parse(slice_until(text, slash), &shard) ||
        !digits_parse(slice_from(text, slash + 1), &count) || !count || shard > count || count > SHARDS_MAX)
        return "is no shard such as 1/4";
    *(struct shard *)field = (struct shard){(unsigned)((shard + count - 1) % count), (unsigned)count};
    return NULL;
}
