/* applier.h: the field manager that applies. Private to this component. */
#ifndef APPLYGUARD_APPLY_APPLIER_H
#define APPLYGUARD_APPLY_APPLIER_H

#include "apply/live.h"
#include "apply/question.h"

/* The manager of the question, or the applier's own. `live` is NULL if the object does not exist. */
struct manager applier_manager(const struct apply_question *question, const struct live *live);

#endif
