/*
 * sentences.h: the refusals or the notes of a preview, up to a limit. Private to this component.
 */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_SENTENCES_H
#define APPLYGUARD_COMMANDS_PREVIEW_SENTENCES_H

#include "base/arena.h"
#include "base/slice.h"

#include <stddef.h>

/* The limit of sentences of each kind in one preview. */
#define SENTENCES_MAX 16

/* Empty if all but the arena is zero. */
struct sentences {
    struct arena *arena;
    struct slice items[SENTENCES_MAX];
    size_t count;
    size_t left_out;
};

/* Adds a copy of a sentence without a full stop. The arena remembers if memory runs out. */
void sentences_add(struct sentences *sentences, struct slice sentence);

/* The sentences, the last one "and 4 more" if some are left out. Empty if memory runs out. */
struct slice_list sentences_list(const struct sentences *sentences);

#endif
