#include "check/in_order.h"

#include <pthread.h>
#include <stdlib.h>

struct slot {
    struct arena *arena;
    void *result;
    bool is_done;
};

struct run {
    const struct in_order *plan;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next;   /* to be taken */
    size_t handed; /* how many were handed on */
    struct slot slots[IN_ORDER_AHEAD];
};

static struct slot *slot_of(struct run *run, size_t index)
{
    return &run->slots[index % IN_ORDER_AHEAD];
}

/* Called with the lock. False: nothing is left. */
static bool take(struct run *run, size_t *index)
{
    while (run->next < run->plan->count && run->next - run->handed >= IN_ORDER_AHEAD)
        pthread_cond_wait(&run->changed, &run->lock);
    *index = run->next;
    if (run->next >= run->plan->count)
        return false;
    run->next++;
    return true;
}

static void *work(void *data)
{
    struct run *run = data;
    size_t index;
    pthread_mutex_lock(&run->lock);
    while (take(run, &index)) {
        struct slot *slot = slot_of(run, index);
        pthread_mutex_unlock(&run->lock);
        void *result = run->plan->work(run->plan->context, index, slot->arena);
        pthread_mutex_lock(&run->lock);
        slot->result = result;
        slot->is_done = true;
        pthread_cond_broadcast(&run->changed);
    }
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

static void hand_on(struct run *run, size_t index)
{
    struct slot *slot = slot_of(run, index);
    run->plan->hand_on(run->plan->context, index, slot->result);
    arena_reset(slot->arena);
    arena_rest(slot->arena);
}

static void hand_on_all(struct run *run)
{
    for (size_t index = 0; index < run->plan->count; index++) {
        struct slot *slot = slot_of(run, index);
        pthread_mutex_lock(&run->lock);
        while (!slot->is_done)
            pthread_cond_wait(&run->changed, &run->lock);
        pthread_mutex_unlock(&run->lock);
        hand_on(run, index);
        pthread_mutex_lock(&run->lock);
        slot->is_done = false;
        run->handed++;
        pthread_cond_broadcast(&run->changed);
        pthread_mutex_unlock(&run->lock);
    }
}

static void do_alone(struct run *run)
{
    for (size_t index = 0; index < run->plan->count; index++) {
        struct slot *slot = slot_of(run, index);
        slot->result = run->plan->work(run->plan->context, index, slot->arena);
        hand_on(run, index);
    }
}

static void do_together(struct run *run, pthread_t *threads)
{
    unsigned started = 0;
    while (started < run->plan->threads && pthread_create(&threads[started], NULL, work, run) == 0)
        started++;
    if (started)
        hand_on_all(run);
    else
        do_alone(run);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

bool in_order_run(const struct in_order *plan)
{
    struct run *run = calloc(1, sizeof(*run));
    pthread_t *threads = calloc(plan->threads, sizeof(*threads));
    bool has_memory = run && threads;
    for (size_t i = 0; has_memory && i < IN_ORDER_AHEAD && i < plan->count; i++)
        has_memory = (run->slots[i].arena = arena_create()) != NULL;
    if (has_memory) {
        run->plan = plan;
        pthread_mutex_init(&run->lock, NULL);
        pthread_cond_init(&run->changed, NULL);
        if (plan->threads > 1 && plan->count > 1)
            do_together(run, threads);
        else
            do_alone(run);
        pthread_cond_destroy(&run->changed);
        pthread_mutex_destroy(&run->lock);
    }
    for (size_t i = 0; run && i < IN_ORDER_AHEAD; i++)
        arena_destroy(run->slots[i].arena);
    free(threads);
    free(run);
    return has_memory;
}
