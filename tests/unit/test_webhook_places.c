/* Kinds and namespaces as labels: each place once, whoever asks, never more than the cap, and nothing that
 * breaks a line. */
#include "webhook/places.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LIMIT 50u
#define THREADS 4u

static const struct siphash_seed seed = {{7, 11}};
static const struct place_labels both = {.kind = true, .namespace = true};

static size_t find(struct places *places, const char *kind, const char *namespace)
{
    return places_find(places, slice_of(kind), slice_of(namespace));
}

static void test_a_place_stays(void **state)
{
    (void)state;
    struct places *places = places_create(both, LIMIT, seed);
    size_t shop = find(places, "Deployment.apps", "shop"), bank = find(places, "Deployment.apps", "bank");
    assert_int_not_equal(shop, bank);
    assert_int_equal(find(places, "Deployment.apps", "shop"), shop);
    assert_string_equal(
        place_labels_text(places, shop), "object_kind=\"Deployment.apps\",object_namespace=\"shop\"");
    assert_string_equal(place_labels_text(places, 0), "object_kind=\"other\",object_namespace=\"other\"");
    size_t cluster = places_find(places, SLICE("Namespace"), (struct slice){NULL, 0});
    assert_string_equal(
        place_labels_text(places, cluster), "object_kind=\"Namespace\",object_namespace=\"\"");
    assert_int_equal(places_count(places), 4);
    places_destroy(places);
}

/* Where only one of the names counts, the other makes no difference. */
static void test_one_label(void **state)
{
    (void)state;
    struct places *kinds = places_create((struct place_labels){.kind = true}, LIMIT, seed);
    assert_int_equal(find(kinds, "Job.batch", "a"), find(kinds, "Job.batch", "b"));
    assert_string_equal(place_labels_text(kinds, 1), "object_kind=\"Job.batch\"");
    places_destroy(kinds);
    struct places *namespaces = places_create((struct place_labels){.namespace = true}, LIMIT, seed);
    assert_int_equal(find(namespaces, "Job.batch", "a"), find(namespaces, "Service", "a"));
    assert_string_equal(place_labels_text(namespaces, 1), "object_namespace=\"a\"");
    /* A namespace of that name shares the series: two with the same labels would spoil the scrape. */
    assert_int_equal(find(namespaces, "Service", "other"), 0);
    places_destroy(namespaces);
}

static void test_what_is_no_name_is_other(void **state)
{
    (void)state;
    char exact[PLACE_NAME_BYTES_MAX + 1], longer[PLACE_NAME_BYTES_MAX + 2];
    memset(exact, 'a', sizeof(exact));
    memset(longer, 'a', sizeof(longer));
    exact[sizeof(exact) - 1] = longer[sizeof(longer) - 1] = 0;
    struct places *places = places_create(both, LIMIT, seed);
    const char *const hostile[] = {"a\"b",         "a\\b", "a\nb", "a\x1b[31mb", "a{b", "a b",
                                   "\xe2\x80\xae", "\xff", "a=b",  "a,b",        longer};
    for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
        assert_int_equal(find(places, "Service", hostile[i]), 0);
        assert_int_equal(find(places, hostile[i], "shop"), 0);
    }
    assert_int_equal(places_find(places, (struct slice){"a\0b", 3}, SLICE("shop")), 0);
    assert_int_equal(places_count(places), 1);
    size_t longest = find(places, exact, exact);
    assert_int_equal(longest, 1);
    assert_true(strlen(place_labels_text(places, longest)) < PLACE_LABELS_BYTES);
    places_destroy(places);
}

struct asker {
    pthread_t thread;
    struct places *places;
    size_t found[2 * LIMIT];
};

/* Twice as many places as there is room for, several times over. */
static void *ask(void *data)
{
    struct asker *asker = data;
    for (unsigned i = 0; i < 20 * LIMIT; i++) {
        char namespace[16];
        unsigned number = i % (2 * LIMIT);
        snprintf(namespace, sizeof(namespace), "n%u", number);
        asker->found[number] = find(asker->places, "Service", namespace);
    }
    return NULL;
}

static void test_threads_agree_up_to_the_cap(void **state)
{
    (void)state;
    struct asker askers[THREADS];
    struct places *places = places_create(both, LIMIT, seed);
    for (size_t i = 0; i < THREADS; i++) {
        askers[i].places = places;
        assert_int_equal(pthread_create(&askers[i].thread, NULL, ask, &askers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(askers[i].thread, NULL);
    assert_int_equal(places_count(places), LIMIT + 1);
    size_t named = 0;
    for (size_t number = 0; number < (size_t)2 * LIMIT; number++) {
        char labels[96];
        size_t place = askers[0].found[number];
        for (size_t i = 1; i < THREADS; i++)
            assert_int_equal(askers[i].found[number], place);
        snprintf(labels, sizeof(labels), "object_kind=\"Service\",object_namespace=\"n%zu\"", number);
        if (place)
            assert_string_equal(place_labels_text(places, place), labels);
        named += place > 0;
    }
    assert_int_equal(named, LIMIT);
    places_destroy(places);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_place_stays),
        cmocka_unit_test(test_one_label),
        cmocka_unit_test(test_what_is_no_name_is_other),
        cmocka_unit_test(test_threads_agree_up_to_the_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
