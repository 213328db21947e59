/*
 * Which Events are sent: the first, then repetitions of it, never more than their object and the cluster are
 * to bear, and the memory of them never grows.
 */
#include "webhook/api/event_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define START ((uint64_t)5000000)
#define MINUTE ((uint64_t)60000)

static int open_memory(void **state)
{
    *state = event_memory_create((struct siphash_seed){{7, 11}});
    return *state ? 0 : -1;
}

static int close_memory(void **state)
{
    event_memory_destroy(*state);
    return 0;
}

#define WITH_MEMORY(test) cmocka_unit_test_setup_teardown(test, open_memory, close_memory)

static struct event event_of(const char *name, enum rule_id rule, int64_t time)
{
    struct event event = {.rule = rule, .time = time, .kind = "Deployment", .namespace = "shop", .uid = "u"};
    snprintf(event.name, sizeof(event.name), "%s", name);
    return event;
}

static enum event_fate note(void **state, const char *name, uint64_t now, struct event_record *record)
{
    struct event event = event_of(name, RULE_ownership_conflict, 100);
    return event_memory_note(*state, &event, now, record);
}

/* Protects `kubectl get events` from a line for each repetition: it is the first that counts them. */
static void a_repetition_raises_the_count(void **state)
{
    struct event_record first, again;
    struct event event = event_of("web", RULE_ownership_conflict, 100);
    assert_int_equal(event_memory_note(*state, &event, START, &first), EVENT_NEW);
    assert_int_equal(first.count, 1);
    assert_int_equal(first.first, 100);
    event.time = 160;
    assert_int_equal(event_memory_note(*state, &event, START + MINUTE, &again), EVENT_REPEATED);
    assert_int_equal(again.count, 2);
    assert_int_equal(again.first, 100);
    assert_true(again.id == first.id);
}

/* Protects from mixing up the Events of two objects or rules. */
static void another_object_or_rule_is_another_event(void **state)
{
    struct event_record record, other;
    struct event event = event_of("web", RULE_ownership_conflict, 100);
    event_memory_note(*state, &event, START, &record);
    struct event others[5];
    for (size_t i = 0; i < 5; i++)
        others[i] = event;
    others[0].rule = RULE_explicit_strategy;
    others[1].name[0] = 'W';
    others[2].namespace[0] = 'S';
    others[3].kind[0] = 'd';
    others[4].uid[0] = 'v';
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(event_memory_note(*state, &others[i], START, &other), EVENT_NEW);
        assert_int_equal(other.count, 1);
        assert_false(other.id == record.id);
    }
}

/* Protects from a patch of an Event that the API server has long forgotten. */
static void after_an_hour_of_silence_it_begins_anew(void **state)
{
    struct event_record first, again;
    note(state, "web", START, &first);
    assert_int_equal(note(state, "web", START + EVENT_KEPT_MS - 1, &again), EVENT_REPEATED);
    assert_int_equal(note(state, "web", START + 2 * EVENT_KEPT_MS - 1, &again), EVENT_NEW);
    assert_int_equal(again.count, 1);
    assert_false(again.id == first.id);
}

/* Protects the API server from two writers who fight every second; the count misses none of it. */
static void one_object_is_limited(void **state)
{
    struct event_record record;
    for (unsigned i = 0; i < EVENTS_OF_OBJECT_BURST; i++)
        assert_int_equal(note(state, "web", START, &record), i ? EVENT_REPEATED : EVENT_NEW);
    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(note(state, "web", START, &record), EVENT_LIMITED);
    assert_int_equal(note(state, "api", START, &record), EVENT_NEW);
    uint64_t later = START + EVENTS_OF_OBJECT_INTERVAL_MS;
    assert_int_equal(note(state, "web", later - 1, &record), EVENT_LIMITED);
    assert_int_equal(note(state, "web", later, &record), EVENT_REPEATED);
    assert_int_equal(record.count, EVENTS_OF_OBJECT_BURST + 12);
    assert_int_equal(note(state, "web", later, &record), EVENT_LIMITED);
}

/* An Event of an object of its own, in that namespace. */
static enum event_fate note_in(void **state, const char *namespace, unsigned number, uint64_t now)
{
    struct event_record record;
    struct event event = event_of("web", RULE_ownership_conflict, 100);
    snprintf(event.namespace, sizeof(event.namespace), "%s", namespace);
    snprintf(event.uid, sizeof(event.uid), "u-%u", number);
    return event_memory_note(*state, &event, now, &record);
}

/* Protects what is found elsewhere: a flood in one namespace is limited there, and takes little of the whole
 * limit.
 */
static void a_flood_of_one_namespace_hides_no_other(void **state)
{
    unsigned told = 0;
    for (unsigned i = 0; i < 10 * EVENTS_BURST; i++)
        told += note_in(state, "flood", i, START) != EVENT_LIMITED;
    assert_int_equal(told, EVENTS_OF_NAMESPACE_BURST);
    for (unsigned i = 0; i < EVENTS_OF_NAMESPACE_BURST; i++)
        assert_int_equal(note_in(state, "shop", i, START), EVENT_NEW);
    assert_int_equal(note_in(state, "", 0, START), EVENT_NEW);
    uint64_t later = START + EVENTS_OF_NAMESPACE_INTERVAL_MS;
    assert_int_equal(note_in(state, "flood", 0, later), EVENT_REPEATED);
    assert_int_equal(note_in(state, "flood", 1, later), EVENT_LIMITED);
    assert_int_equal(note_in(state, "shop", 1, later), EVENT_REPEATED);
}

/* Protects memory from invented namespaces, and real ones from being limited by them for ever. */
static void many_namespaces_take_no_more_room(void **state)
{
    char namespace[32];
    uint64_t now = START;
    for (unsigned i = 0; i < 4 * EVENT_NAMESPACES_MAX; i++, now += EVENTS_INTERVAL_MS) {
        snprintf(namespace, sizeof(namespace), "junk-%u", i);
        assert_int_equal(note_in(state, namespace, i, now), EVENT_NEW);
    }
    assert_int_equal(note_in(state, "shop", 0, now), EVENT_NEW);
}

/* Protects the API server from a thousand objects at once: and an Event that was limited is new when it is
 * sent. */
static void all_together_are_limited(void **state)
{
    char name[32];
    struct event_record record;
    for (unsigned i = 0; i < EVENTS_BURST; i++) {
        snprintf(name, sizeof(name), "shop-%u", i % 10);
        assert_int_equal(note_in(state, name, i, START), EVENT_NEW);
    }
    assert_int_equal(note(state, "late", START, &record), EVENT_LIMITED);
    assert_int_equal(note(state, "late", START + EVENTS_INTERVAL_MS, &record), EVENT_NEW);
    assert_int_equal(record.count, 2);
    assert_int_equal(note(state, "later", START + EVENTS_INTERVAL_MS, &record), EVENT_LIMITED);
    assert_int_equal(note(state, "later", START + MINUTE, &record), EVENT_NEW);
}

/* Protects memory from invented names: what comes last is known, however many came before. */
static void many_objects_take_no_more_room(void **state)
{
    char name[32];
    struct event_record record;
    uint64_t now = START;
    for (unsigned i = 0; i < 3 * EVENT_MEMORY_MAX; i++, now += EVENTS_OF_NAMESPACE_INTERVAL_MS) {
        snprintf(name, sizeof(name), "web-%u", i);
        assert_int_equal(note(state, name, now, &record), EVENT_NEW);
        assert_int_equal(note(state, name, now + 1, &record), EVENT_REPEATED);
        now += EVENTS_OF_NAMESPACE_INTERVAL_MS;
    }
    assert_int_equal(note(state, name, now, &record), EVENT_REPEATED);
    assert_int_equal(record.count, 3);
}

/* Protects replicas from each other: their Events have names of their own. */
static void another_seed_gives_other_names(void **state)
{
    struct event_record record, other;
    struct event event = event_of("web", RULE_ownership_conflict, 100);
    struct event_memory *memory = event_memory_create((struct siphash_seed){{7, 12}});
    event_memory_note(*state, &event, START, &record);
    event_memory_note(memory, &event, START, &other);
    assert_false(record.id == other.id);
    event_memory_destroy(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_MEMORY(a_repetition_raises_the_count),
        WITH_MEMORY(another_object_or_rule_is_another_event),
        WITH_MEMORY(after_an_hour_of_silence_it_begins_anew),
        WITH_MEMORY(one_object_is_limited),
        WITH_MEMORY(a_flood_of_one_namespace_hides_no_other),
        WITH_MEMORY(many_namespaces_take_no_more_room),
        WITH_MEMORY(all_together_are_limited),
        WITH_MEMORY(many_objects_take_no_more_room),
        WITH_MEMORY(another_seed_gives_other_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
