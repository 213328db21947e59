#include "policy/analysis/suspension.h"

#include "base/glob.h"
#include "base/json.h"
#include "policy/managers.h"

static bool is_suspended(const struct object_parts *parts)
{
    return yyjson_is_true(json_member(parts->spec, SLICE("suspend")));
}

bool suspends_flux(const struct review *review)
{
    return glob_match(SLICE("*.toolkit.fluxcd.io"), review->group) &&
        is_suspended(&review->parts) != is_suspended(&review->old_parts);
}

bool is_of_flux_suspend(const struct review *review)
{
    const struct writer *writer = &review->ownership.writer;
    return writer->known && writer->class == CLASS_AD_HOC && writer->manager.operation == MANAGER_UPDATE &&
        slice_equal(writer->manager.name, SLICE("flux")) && suspends_flux(review);
}
