/*
 * applier.h: who applies. Private to preview/.
 */
#ifndef APPLYGUARD_PREVIEW_APPLIER_H
#define APPLYGUARD_PREVIEW_APPLIER_H

#include "preview/live.h"
#include "preview/result.h"

/* The manager of the question, or the applier's own. `live` is NULL if the object is not there. */
struct manager applier_manager(const struct preview_question *question, const struct live *live);

#endif
