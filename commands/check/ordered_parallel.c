#include "commands/check/ordered_parallel.h"

#include <pthread.h>
#include <stdlib.h>

struct slot {
    struct arena *arena;
    void *result;
    bool is_done;
};

struct run {
    const struct ordered_parallel *plan;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next;      /* the next piece to take */
    size_t emitted;   /* the number of emitted results */
    bool is_handing;  /* a thread is emitting */
    unsigned waiting; /* threads that are too far ahead */
    struct slot slots[ORDERED_PARALLEL_AHEAD];
};

static struct slot *slot_of(struct run *run, size_t index)
{
    return &run->slots[index % ORDERED_PARALLEL_AHEAD];
}

/* Called with the lock held. Returns false if all pieces were taken. */
static bool take(struct run *run, size_t *index)
{
    run->waiting++;
    while (run->next < run->plan->count && run->next - run->emitted >= ORDERED_PARALLEL_AHEAD)
        pthread_cond_wait(&run->changed, &run->lock);
    run->waiting--;
    *index = run->next;
    if (run->next >= run->plan->count)
        return false;
    run->next++;
    return true;
}

static bool is_ready(struct run *run)
{
    return run->emitted < run->plan->count && slot_of(run, run->emitted)->is_done;
}

/* Called with the lock held. One thread emits the results of all, so that the others can continue to work. */
static void emit(struct run *run)
{
    if (run->is_handing)
        return;
    run->is_handing = true;
    while (is_ready(run)) {
        struct slot *slot = slot_of(run, run->emitted);
        pthread_mutex_unlock(&run->lock);
        run->plan->emit(run->plan->context, run->emitted, slot->result);
        arena_reset(slot->arena);
        arena_rest(slot->arena);
        pthread_mutex_lock(&run->lock);
        slot->is_done = false;
        run->emitted++;
        if (run->waiting)
            pthread_cond_broadcast(&run->changed);
    }
    run->is_handing = false;
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
        emit(run);
    }
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* The calling thread works, too. */
static void work_together(struct run *run, pthread_t *threads)
{
    unsigned started = 0;
    while (started + 1 < run->plan->threads && started + 1 < run->plan->count &&
           pthread_create(&threads[started], NULL, work, run) == 0)
        started++;
    work(run);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
}

bool ordered_parallel_run(const struct ordered_parallel *plan)
{
    struct run *run = calloc(1, sizeof(*run));
    pthread_t *threads = calloc(plan->threads, sizeof(*threads));
    bool has_memory = run && threads;
    for (size_t i = 0; has_memory && i < ORDERED_PARALLEL_AHEAD && i < plan->count; i++)
        has_memory = (run->slots[i].arena = arena_create()) != NULL;
    if (has_memory) {
        run->plan = plan;
        pthread_mutex_init(&run->lock, NULL);
        pthread_cond_init(&run->changed, NULL);
        work_together(run, threads);
        pthread_cond_destroy(&run->changed);
        pthread_mutex_destroy(&run->lock);
    }
    for (size_t i = 0; run && i < ORDERED_PARALLEL_AHEAD; i++)
        arena_destroy(run->slots[i].arena);
    free(threads);
    free(run);
    return has_memory;
}
