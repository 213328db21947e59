/*
 * preview.h: the effects of an apply on an object: which fields it sets, takes, drops and leaves behind, and
 * the policy's findings.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_PREVIEW_H
#define APPLYGUARD_COMMANDS_PREVIEW_PREVIEW_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "commands/preview/result.h"

#include <stdbool.h>

/* Returns NULL and sets the error, a sentence without a full stop, if the question cannot be answered. */
const struct preview *preview_make(
    const struct apply_question *question, struct arena *arena, struct error *error);

/*
 * The effects on the question's live object if Helm's new manifest no longer has it; the question's manifest
 * is the former one. Returns NULL and sets the error.
 */
const struct preview *preview_make_dropped(
    const struct apply_question *question, struct arena *arena, struct error *error);

struct prune;

/*
 * The same if a tool prunes. Its `dropped` is DROPPED_NOT for an object that is not of the pruned set.
 */
const struct preview *preview_make_pruned(
    const struct apply_question *question, const struct prune *prune, struct arena *arena,
    struct error *error);

/* One line of JSON. */
void preview_append_json(struct text *text, const struct preview *preview);

/* For people. */
void preview_append_text(struct text *text, const struct preview *preview, bool has_colour);

/*
 * A unified diff of the live object and the merged one, as YAML; nothing if they are equal. Values of Secrets
 * are masked.
 */
void preview_append_diff(struct text *text, const struct preview *preview, bool has_colour);

/*
 * The object after the apply, as one line of JSON without managedFields. Values of Secrets are masked. Only
 * if there is one after the apply.
 */
void preview_append_object(struct text *text, const struct preview *preview);

/* Whether the apply changes nothing. */
bool preview_is_same(const struct preview *preview);

#endif
