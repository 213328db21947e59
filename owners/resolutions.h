/* resolutions.h: the resolutions of a conflict: commands, and what happens next. */
#ifndef APPLYGUARD_OWNERS_RESOLUTIONS_H
#define APPLYGUARD_OWNERS_RESOLUTIONS_H

#include "owners/conflict.h"
#include "owners/live.h"

enum resolution_kind { RESOLUTION_DROP, RESOLUTION_FORCE, RESOLUTION_HAND_OVER, RESOLUTION_MATCH };
#define RESOLUTION_COUNT 4

struct resolution {
    struct slice edit;       /* a change to make before the command, or with its output; empty: none */
    struct slice command;    /* for a shell; the reader has to fill in words in capitals */
    struct slice next;       /* a sentence: the result of the command */
    struct slice refused_by; /* the rule by which the policy denies it; empty: none, or not known */
};

struct resolution_question {
    const struct conflict_object *object;
    enum conflict_tool tool;
    struct slice manager; /* the field manager that kubectl applies as; empty: the default one, or unknown */
    const struct conflict *conflict;
    enum manager_class class;       /* the class of the holder */
    const struct live_object *live; /* NULL without a live object; then `field` is NULL, too */
    const struct live_field *field;
};

/* "drop", "force", "hand-over", "match". */
const char *resolution_name(enum resolution_kind kind);

/* For people: "drop it", "force it", "hand over", "match it". */
const char *resolution_label(enum resolution_kind kind);

/* The command, with the edit as a comment behind it. */
struct slice resolution_line(const struct resolution *resolution, struct arena *arena);

/*
 * Finds all resolutions, in printable text. The texts are empty if memory runs out; arena_has_failed()
 * reports that.
 */
void resolutions_find(
    const struct resolution_question *question, struct arena *arena,
    struct resolution resolutions[RESOLUTION_COUNT]);

/* The resolutions as a JSON list: [{"way","command"}]. */
void resolutions_append_json(struct text *text, const struct resolution resolutions[RESOLUTION_COUNT]);

#endif
