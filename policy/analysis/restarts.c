#include "policy/analysis/restarts.h"

bool field_is_restart(const struct path *path)
{
    return path->depth >= 4 && slice_equal(path->text, SLICE("kubectl.kubernetes.io/restartedAt")) &&
        slice_equal(path->parent->parent->parent->text, SLICE("template"));
}
