/*
 * exports.h: what a page calls in the WebAssembly module.
 *
 *     memory.set(question, exports.playground_reserve(question.length));
 *     answer = text at exports.playground_ask(question.length);
 */
#ifndef APPLYGUARD_PLAYGROUND_EXPORTS_H
#define APPLYGUARD_PLAYGROUND_EXPORTS_H

#include <stddef.h>

/* Memory for a question of so many bytes, until the next call. Returns NULL if memory runs out. */
char *playground_reserve(size_t length);

/*
 * The answer to the question in that memory, with a NUL at its end. It is valid until the next call. Returns
 * NULL if memory runs out.
 */
const char *playground_ask(size_t length);

/* Releases the memory of both. */
void playground_release(void);

#endif
