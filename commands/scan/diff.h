/*
 * diff.h: what has become better, worse and new since an earlier scan, by the lines of both.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_DIFF_H
#define APPLYGUARD_COMMANDS_SCAN_DIFF_H

#include "base/error.h"
#include "base/name_table.h"
#include "base/text.h"
#include "policy/action.h"

struct scan_diff {
    struct arena *arena;
    struct name_table findings; /* of the earlier scan, by object and rule */
    struct name_table objects;  /* of the earlier scan: those with findings */
    uint64_t better, worse, new;
    bool is_whole;         /* the earlier scan ended: its sums were read */
    enum action strongest; /* of worse or new findings */
};

/* Returns false if memory runs out. */
bool scan_diff_start(struct scan_diff *diff);
void scan_diff_release(struct scan_diff *diff);

/* Reads a line of the earlier scan's JSON, without or with its line break. Returns -1 and sets the error. */
int scan_diff_read(struct scan_diff *diff, struct slice line, struct error *error);

/*
 * Compares a line of this scan, and appends a line for people about each finding that is worse or new: worse
 * if the object had findings before. Returns -1 and sets the error.
 */
int scan_diff_compare(struct scan_diff *diff, struct slice line, struct text *text, struct error *error);

/* After the last one: appends a line for each finding that is gone. */
void scan_diff_append_gone(struct scan_diff *diff, struct text *text);

/* How many are better, worse and new: as a sentence, or as a line of JSON. */
void scan_diff_append_sums(const struct scan_diff *diff, struct text *text);
void scan_diff_append_json(const struct scan_diff *diff, struct text *text);

#endif
