/* ways.h: the resolutions of a conflict: commands, and what happens next. */
#ifndef APPLYGUARD_OWNERS_WAYS_H
#define APPLYGUARD_OWNERS_WAYS_H

#include "owners/conflict.h"
#include "owners/live.h"

enum way_kind { WAY_DROP, WAY_FORCE, WAY_HAND_OVER, WAY_MATCH };
#define WAY_COUNT 4

struct way {
    struct slice edit;    /* a change to make before the command, or with its output; empty: none */
    struct slice command; /* for a shell; the reader has to fill in words in capitals */
    struct slice next;    /* a sentence: the result of the command */
};

struct way_question {
    const struct conflict_object *object;
    enum conflict_tool tool;
    struct slice manager; /* the field manager that kubectl applies as; empty: the default one, or unknown */
    const struct conflict *conflict;
    enum manager_class class;       /* the class of the holder */
    const struct live_object *live; /* NULL without a live object; then `field` is NULL, too */
    const struct live_field *field;
};

/* "drop", "force", "hand-over", "match". */
const char *way_name(enum way_kind kind);

/* For people: "drop it", "force it", "hand over", "match it". */
const char *way_label(enum way_kind kind);

/* The command, with the edit as a comment behind it. */
struct slice way_line(const struct way *way, struct arena *arena);

/*
 * Finds all resolutions, in printable text. The texts are empty if memory runs out; arena_has_failed()
 * reports that.
 */
void ways_find(const struct way_question *question, struct arena *arena, struct way ways[WAY_COUNT]);

/* The resolutions as a JSON list: [{"way","command"}]. */
void ways_append_json(struct text *text, const struct way ways[WAY_COUNT]);

#endif
