/*
 * read_file.h: one input: the facts of its objects, and what the rules find in them.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_READ_FILE_H
#define APPLYGUARD_COMMANDS_CHECK_READ_FILE_H

#include "base/arena.h"
#include "commands/check/check_input.h"
#include "commands/check/facts.h"
#include "commands/check/judge_object.h"

/* What became of a document, or is to say of it: one of the four. */
struct file_entry {
    struct file_entry *next;
    struct judged_object *judged;
    const struct error *problem;
    const struct error *note;    /* which makes nothing fail */
    const struct error *skipped; /* why the document was passed over, and its line */
    bool is_foreign;             /* a problem, unless the file has nothing but such documents */
};

/* In the order of the file. */
struct file_entries {
    struct file_entry *first;
    struct file_entry **end;
    size_t skipped; /* documents that are no objects of a cluster */
};

struct file_facts {
    struct fact *first;
    struct fact **end;
    size_t count;
};

/* What was read of an input. */
struct file_reading {
    const struct check_input *input;
    size_t first_order; /* of its first object, among those of all inputs; 0 while that is not known */
    struct file_facts facts;
    struct file_entries entries;
    bool is_judged; /* false: judging was given up, and the entries are not whole */
};

/* How to read an input. */
struct file_reader {
    const struct check_input *input;
    size_t first_order; /* of its first object; 0 while that is not known */
    const struct policy *policy;
    const struct applier *applier;
    const struct manifest_set *set; /* the manifests beside it; NULL: objects are judged as if alone */
    size_t object_count;            /* with a set: how many objects of the input are in it */
    struct arena *arena;            /* of the reading */
    size_t bytes_max;               /* once the arena holds more, judging is given up */
    struct arena *spare;            /* of the facts from then on */
};

/* With a set there are entries and no facts, else both. NULL if there is no memory. */
struct file_reading *read_file(const struct file_reader *reader);

/* Where the object of a fact is. */
struct document_place file_place(const struct file_reading *reading, const struct fact *fact);

#endif
