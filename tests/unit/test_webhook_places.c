/* Kinds and namespaces as labels: each place once, whoever counts, never more than the cap, nothing that
 * breaks a line, and no count lost. */
#include "base/count.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"
#include "webhook/telemetry/places.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LIMIT 50u
#define THREADS 4u

static const struct siphash_seed seed = {{7, 11}};
static const struct place_labels both = {.kind = true, .namespace = true};

/* A review that is allowed, with one finding. */
static void count_slices(struct places *places, struct slice kind, struct slice namespace, uint64_t now)
{
    struct review *review = calloc(1, sizeof(*review));
    struct verdict *verdict = calloc(1, sizeof(*verdict));
    assert_non_null(review);
    assert_non_null(verdict);
    review->group_kind = kind;
    review->namespace = namespace;
    verdict->review = review;
    verdict->allowed = true;
    verdict->findings[0].action = ACTION_WARN;
    verdict->findings[0].policy_action = ACTION_DENY;
    verdict->finding_count = 1;
    places_count(places, verdict, now);
    free(verdict);
    free(review);
}

static void count(struct places *places, const char *kind, const char *namespace)
{
    count_slices(places, slice_of(kind), slice_of(namespace), 0);
}

/* What a scrape sees. */
struct seen {
    const char *wanted; /* labels */
    uint64_t reviews;   /* of the place with these */
    uint64_t findings;
    uint64_t total; /* reviews of all */
    size_t places;
    bool exists;
};

static void look(const char *labels, const struct place_counters *counters, void *data)
{
    struct seen *seen = data;
    assert_int_equal(counters->reviews[false], 0);
    assert_true(strlen(labels) < PLACE_LABELS_BYTES);
    seen->total += counters->reviews[true];
    seen->places++;
    if (!seen->wanted || strcmp(labels, seen->wanted) != 0)
        return;
    assert_false(seen->exists); /* no labels twice */
    seen->exists = true;
    seen->reviews = counters->reviews[true];
    seen->findings = counters->findings[0][action_pair_index(ACTION_WARN, ACTION_DENY)];
}

static struct seen see(struct places *places, const char *wanted)
{
    struct seen seen = {.wanted = wanted};
    places_visit(places, look, &seen);
    return seen;
}

static uint64_t reviews_of(struct places *places, const char *wanted)
{
    struct seen seen = see(places, wanted);
    assert_int_equal(seen.reviews, seen.findings);
    return seen.reviews;
}

static void each_place_by_itself(void **state)
{
    (void)state;
    struct places *places = places_create(both, LIMIT, seed);
    assert_non_null(places);
    count(places, "Deployment.apps", "shop");
    count(places, "Deployment.apps", "bank");
    count(places, "Deployment.apps", "shop");
    count_slices(places, SLICE("Namespace"), (struct slice){NULL, 0}, 0);
    assert_int_equal(reviews_of(places, "object_kind=\"Deployment.apps\",object_namespace=\"shop\""), 2);
    assert_int_equal(reviews_of(places, "object_kind=\"Deployment.apps\",object_namespace=\"bank\""), 1);
    assert_int_equal(reviews_of(places, "object_kind=\"Namespace\",object_namespace=\"\""), 1);
    assert_true(see(places, "object_kind=\"other\",object_namespace=\"other\"").exists);
    assert_int_equal(see(places, NULL).places, 4);
    places_destroy(places);
}

/* Where only one of the names counts, the other makes no difference. */
static void one_label(void **state)
{
    (void)state;
    struct places *kinds = places_create((struct place_labels){.kind = true}, LIMIT, seed);
    count(kinds, "Job.batch", "a");
    count(kinds, "Job.batch", "b");
    assert_int_equal(reviews_of(kinds, "object_kind=\"Job.batch\""), 2);
    places_destroy(kinds);
    struct places *namespaces = places_create((struct place_labels){.namespace = true}, LIMIT, seed);
    count(namespaces, "Job.batch", "a");
    count(namespaces, "Service", "a");
    assert_int_equal(reviews_of(namespaces, "object_namespace=\"a\""), 2);
    /* A namespace of that name shares the series: two with the same labels would spoil the scrape. */
    count(namespaces, "Service", "other");
    assert_int_equal(reviews_of(namespaces, "object_namespace=\"other\""), 1);
    assert_int_equal(see(namespaces, NULL).places, 2);
    places_destroy(namespaces);
}

static void what_is_no_name_is_other(void **state)
{
    (void)state;
    char exact[PLACE_NAME_BYTES_MAX + 1], longer[PLACE_NAME_BYTES_MAX + 2];
    memset(exact, 'a', sizeof(exact));
    memset(longer, 'a', sizeof(longer));
    exact[sizeof(exact) - 1] = longer[sizeof(longer) - 1] = 0;
    struct places *places = places_create(both, LIMIT, seed);
    const char *const hostile[] = {"a\"b",         "a\\b", "a\nb", "a\x1b[31mb", "a{b", "a b",
                                   "\xe2\x80\xae", "\xff", "a=b",  "a,b",        longer};
    const size_t hostile_count = COUNT(hostile);
    for (size_t i = 0; i < hostile_count; i++) {
        count(places, "Service", hostile[i]);
        count(places, hostile[i], "shop");
    }
    count_slices(places, (struct slice){"a\0b", 3}, SLICE("shop"), 0);
    assert_int_equal(
        reviews_of(places, "object_kind=\"other\",object_namespace=\"other\""), 2 * hostile_count + 1);
    assert_int_equal(see(places, NULL).places, 1);
    count(places, exact, exact);
    assert_int_equal(see(places, NULL).places, 2);
    places_destroy(places);
}

static void count_numbered(struct places *places, unsigned number, uint64_t now)
{
    char namespace[16];
    snprintf(namespace, sizeof(namespace), "n%u", number);
    count_slices(places, SLICE("Service"), slice_of(namespace), now);
}

static bool has_numbered(struct places *places, unsigned number)
{
    char labels[96];
    snprintf(labels, sizeof(labels), "object_kind=\"Service\",object_namespace=\"n%u\"", number);
    return see(places, labels).exists;
}

/* Who was counted since stays; who comes back begins anew, and what he had is among the forgotten. */
static void the_least_recent_gives_way(void **state)
{
    (void)state;
    struct places *places = places_create(both, 3, seed);
    for (unsigned number = 0; number < 3; number++)
        count_numbered(places, number, 0);
    count_numbered(places, 0, 0);
    count_numbered(places, 3, 0);
    assert_true(has_numbered(places, 0));
    assert_false(has_numbered(places, 1));
    assert_true(has_numbered(places, 2));
    assert_int_equal(places_forgotten(places).reviews[true], 1);
    assert_int_equal(places_forgotten(places).findings[0][action_pair_index(ACTION_WARN, ACTION_DENY)], 1);
    count_numbered(places, 1, 0);
    assert_false(has_numbered(places, 2));
    assert_int_equal(reviews_of(places, "object_kind=\"Service\",object_namespace=\"n1\""), 1);
    assert_int_equal(places_forgotten(places).reviews[true], 2);
    assert_int_equal(see(places, NULL).total + places_forgotten(places).reviews[true], 6);
    assert_int_equal(see(places, NULL).places, 4);
    places_destroy(places);
}

/* Names without end are "other" in the end, until time has passed. */
static void only_so_many_give_way(void **state)
{
    (void)state;
    struct places *places = places_create(both, LIMIT, seed);
    unsigned number = 0;
    uint64_t now = 5000000;
    while (number < LIMIT + PLACE_RENEWALS_MAX)
        count_numbered(places, number++, now);
    assert_int_equal(reviews_of(places, "object_kind=\"other\",object_namespace=\"other\""), 0);
    count_numbered(places, number++, now);
    count_numbered(places, number, now + PLACE_RENEWAL_MS - 1);
    assert_int_equal(reviews_of(places, "object_kind=\"other\",object_namespace=\"other\""), 2);
    assert_false(has_numbered(places, number));
    count_numbered(places, number, now + PLACE_RENEWAL_MS);
    assert_true(has_numbered(places, number));
    count_numbered(places, ++number, now + PLACE_RENEWAL_MS);
    assert_false(has_numbered(places, number));
    assert_int_equal(see(places, NULL).total + places_forgotten(places).reviews[true], number + 2);
    places_destroy(places);
}

/* There may be no place at all. */
static void a_cap_of_nothing(void **state)
{
    (void)state;
    struct places *places = places_create(both, 0, seed);
    count(places, "Service", "shop");
    assert_int_equal(reviews_of(places, "object_kind=\"other\",object_namespace=\"other\""), 1);
    places_destroy(places);
}

struct asker {
    pthread_t thread;
    struct places *places;
};

/* Twice as many places as there is room for, several times over. */
static void *ask(void *data)
{
    struct asker *asker = data;
    for (unsigned i = 0; i < 20 * LIMIT; i++)
        count_numbered(asker->places, i % (2 * LIMIT), i);
    return NULL;
}

static void threads_lose_nothing(void **state)
{
    (void)state;
    struct asker askers[THREADS];
    struct places *places = places_create(both, LIMIT, seed);
    for (size_t i = 0; i < THREADS; i++) {
        askers[i].places = places;
        assert_int_equal(pthread_create(&askers[i].thread, NULL, ask, &askers[i]), 0);
    }
    for (unsigned i = 0; i < 100; i++)
        assert_true(see(places, NULL).places <= LIMIT + 1);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(askers[i].thread, NULL);
    assert_int_equal(see(places, NULL).places, LIMIT + 1);
    assert_int_equal(
        see(places, NULL).total + places_forgotten(places).reviews[true], (uint64_t)THREADS * 20 * LIMIT);
    places_destroy(places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_place_by_itself),     cmocka_unit_test(one_label),
        cmocka_unit_test(what_is_no_name_is_other), cmocka_unit_test(the_least_recent_gives_way),
        cmocka_unit_test(only_so_many_give_way),    cmocka_unit_test(a_cap_of_nothing),
        cmocka_unit_test(threads_lose_nothing),
    };
    return cmocka_run_group_tests_name("webhook places", tests, NULL, NULL);
}
