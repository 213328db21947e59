#include "webhook/telemetry/lookup_outcome.h"

const char *lookup_outcome_name(enum lookup_outcome outcome)
{
    static const char *const names[] = {"fetched", "kept", "failed", "late", "overloaded"};
    return names[outcome];
}
