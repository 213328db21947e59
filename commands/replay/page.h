/*
 * page.h: the parts of the HTML page that are the same for each log. Private to commands/replay/.
 *
 * The page loads nothing, and its policy forbids that. Without its script it is whole, but tables are not
 * sorted and filtered.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_PAGE_H
#define APPLYGUARD_COMMANDS_REPLAY_PAGE_H

/* From the doctype to the start of the main part. */
extern const char replay_page_head[];

/* From its end on, with the script. */
extern const char replay_page_end[];

#endif
