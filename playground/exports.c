#include "playground/exports.h"

#include "playground/playground.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A page asks one question at a time. */
static char *question;
static struct arena *arena;

char *playground_reserve(size_t length)
{
    free(question);
    question = malloc(length + 1);
    return question;
}

const char *playground_ask(size_t length)
{
    arena_destroy(arena);
    arena = arena_create();
    if (!arena || !question)
        return NULL;
    struct slice answer = playground_answer((struct slice){question, length}, (int64_t)time(NULL), arena);
    char *ended = answer.bytes ? arena_allocate(arena, answer.length + 1) : NULL;
    if (!ended)
        return NULL;
    memcpy(ended, answer.bytes, answer.length);
    ended[answer.length] = '\0';
    return ended;
}

void playground_release(void)
{
    free(question);
    arena_destroy(arena);
    question = NULL;
    arena = NULL;
}
