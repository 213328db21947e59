/*
 * ways.h: the ways out of a conflict, as commands with what happens next.
 */
#ifndef APPLYGUARD_OWNERS_WAYS_H
#define APPLYGUARD_OWNERS_WAYS_H

#include "owners/conflict.h"
#include "owners/live.h"

enum way_kind { WAY_DROP, WAY_FORCE, WAY_HAND_OVER, WAY_MATCH };
#define WAY_COUNT 4

struct way {
    struct slice edit;    /* what to change before the command, or with what it prints; empty: nothing */
    struct slice command; /* for a shell; in capitals what the reader has to fill in */
    struct slice next;    /* a sentence: what happens then */
};

struct way_question {
    const struct conflict_object *object;
    enum conflict_tool tool;
    struct slice manager; /* that kubectl applies as; empty: its own, or unknown */
    const struct conflict *conflict;
    enum manager_class class;       /* by which the holder loses */
    const struct live_object *live; /* NULL: there is none, and then `field` is NULL, too */
    const struct live_field *field;
};

/* "drop", "force", "hand-over", "match". */
const char *way_name(enum way_kind kind);

/* For people: "drop it", "force it", "hand over", "match it". */
const char *way_label(enum way_kind kind);

/* The command, with the edit as a comment behind it. */
struct slice way_line(const struct way *way, struct arena *arena);

/* All of them, printable. The texts are empty if there is no memory, which the arena knows. */
void ways_find(const struct way_question *question, struct arena *arena, struct way ways[WAY_COUNT]);

/* The ways out as a JSON list: [{"way","command"}]. */
void ways_append_json(struct text *text, const struct way ways[WAY_COUNT]);

#endif
