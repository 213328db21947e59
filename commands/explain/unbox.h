/*
 * unbox.h: takes text out of the box that Terraform draws around an error.
 *
 * Terraform puts a bar in front of each line, wraps lines at any blank, and colours them, in pipes as well.
 */
#ifndef APPLYGUARD_COMMANDS_EXPLAIN_UNBOX_H
#define APPLYGUARD_COMMANDS_EXPLAIN_UNBOX_H

#include "base/arena.h"
#include "base/slice.h"

/*
 * The text without colours, without bars at the start of lines, and with the lines of a paragraph in a box
 * joined. The text itself if it has neither. `bytes` is NULL if memory runs out.
 */
struct slice unbox(struct slice text, struct arena *arena);

#endif
