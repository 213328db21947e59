/*
 * startup_pages.h: what the program and its libraries had mapped for the start alone.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_STARTUP_PAGES_H
#define APPLYGUARD_WEBHOOK_SERVER_STARTUP_PAGES_H

/*
 * Lets go of all pages of code and constants. What is used comes back from the page cache within
 * microseconds; what only the start used, as most of some twenty libraries that libcurl brings along, counts
 * as this process's memory no longer. Call it once, when all has started.
 */
void startup_pages_release(void);

#endif
