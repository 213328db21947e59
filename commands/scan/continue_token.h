/*
 * continue_token.h: the token with which an API server continues a list. Private to commands/scan/.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_CONTINUE_TOKEN_H
#define APPLYGUARD_COMMANDS_SCAN_CONTINUE_TOKEN_H

#include "base/arena.h"
#include "base/slice.h"

/*
 * A token that has expired, made to continue at the same place in the objects as they are now. The API server
 * offers it in its answer 410, which kubectl does not print (apiserver, storage/continue.go: the version -1).
 * NULL bytes if the token has another form, or memory runs out.
 */
struct slice continue_token_renewed(struct slice token, struct arena *arena);

#endif
