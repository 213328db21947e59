/*
 * page.h: the page of HTML, whose script sorts and filters its tables. Private to commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_PAGE_H
#define APPLYGUARD_COMMANDS_REPLAY_PAGE_H

#include "report/html.h"

extern const struct html_page replay_page;

#endif
