/* read_file.h: one input: the facts of its objects, and their findings. */
#ifndef APPLYGUARD_COMMANDS_CHECK_READ_FILE_H
#define APPLYGUARD_COMMANDS_CHECK_READ_FILE_H

#include "base/arena.h"
#include "commands/check/check_input.h"
#include "commands/check/declarations.h"
#include "commands/check/judge_object.h"

/* The result of a document, or a message about it: one of the four. */
struct file_entry {
    struct file_entry *next;
    struct judged_object *judged;
    const struct error *problem;
    const struct error *note;    /* it does not make the program fail */
    const struct error *skipped; /* why the document was skipped, and its line */
    bool is_foreign;             /* a problem, unless the file has only such documents */
};

/* In the order of the file. */
struct file_entries {
    struct file_entry *first;
    struct file_entry **end;
    size_t count;   /* including objects that the reader's `emit` got */
    size_t skipped; /* documents that are not objects of a cluster */
};

struct file_facts {
    struct declaration *first;
    struct declaration **end;
    size_t count;
};

/* The result of reading an input. */
struct file_reading {
    const struct check_input *input;
    size_t first_order; /* of its first object, counted over all inputs; 0: unknown */
    struct file_facts declarations;
    struct file_entries entries;
    bool is_judged; /* false: judging was abandoned, and the entries are incomplete */
};

/* The entry is valid during the call. */
typedef void file_emit(void *context, const struct check_input *input, const struct file_entry *entry);

/* How to read an input. */
struct file_reader {
    const struct check_input *input;
    size_t first_order; /* of its first object; 0: unknown */
    const struct policy *policy;
    const struct applier *applier;
    bool shows_lines_around;        /* as that of struct object_judge */
    const struct manifest_set *set; /* the other manifests; NULL: objects are judged as if alone */
    size_t object_count;            /* with a set: how many objects of the input it contains */
    struct arena *arena;            /* for the reading */
    size_t bytes_max;               /* if the arena gets larger, judging is abandoned */
    struct arena *spare;            /* for the facts from then on */
    file_emit *emit;                /* gets each entry, instead of the result; NULL: the result has them */
    void (*count_object)(void *context); /* called for each object; may be NULL */
    void *context;                       /* for both */
};

/* With a set the result has entries, without one entries and facts. Returns NULL if memory runs out. */
struct file_reading *read_file(const struct file_reader *reader);

/* The place of a fact's object. */
struct document_place file_place(const struct file_reading *reading, const struct declaration *declaration);

#endif
