/* Kinds and namespaces as labels: each label set once, from all threads, never more than the cap, nothing
 * that breaks a line, and no count lost. */
#include "base/array_size.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"
#include "webhook/telemetry/label_sets.h"

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
static const struct label_names both = {.kind = true, .namespace = true};

/* A review that is allowed, with one finding. */
static void count_slices(struct label_sets *sets, struct slice kind, struct slice namespace, uint64_t now)
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
    label_sets_count(sets, verdict, now);
    free(verdict);
    free(review);
}

static void count(struct label_sets *sets, const char *kind, const char *namespace)
{
    count_slices(sets, slice_of(kind), slice_of(namespace), 0);
}

/* The result of a scrape. */
struct seen {
    const char *wanted; /* labels */
    uint64_t reviews;   /* of the label set with these */
    uint64_t findings;
    uint64_t total; /* reviews of all */
    size_t sets;
    bool exists;
};

static void look(const char *labels, const struct label_set_counters *counters, void *data)
{
    struct seen *seen = data;
    assert_int_equal(counters->reviews[false], 0);
    assert_true(strlen(labels) < LABEL_SET_TEXT_BYTES);
    seen->total += counters->reviews[true];
    seen->sets++;
    if (!seen->wanted || strcmp(labels, seen->wanted) != 0)
        return;
    assert_false(seen->exists); /* no labels twice */
    seen->exists = true;
    seen->reviews = counters->reviews[true];
    seen->findings = counters->findings[0][action_pair_index(ACTION_WARN, ACTION_DENY)];
}

static struct seen see(struct label_sets *sets, const char *wanted)
{
    struct seen seen = {.wanted = wanted};
    label_sets_visit(sets, look, &seen);
    return seen;
}

static uint64_t reviews_of(struct label_sets *sets, const char *wanted)
{
    struct seen seen = see(sets, wanted);
    assert_int_equal(seen.reviews, seen.findings);
    return seen.reviews;
}

static void each_label_set_by_itself(void **state)
{
    (void)state;
    struct label_sets *sets = label_sets_create(both, LIMIT, seed);
    assert_non_null(sets);
    count(sets, "Deployment.apps", "shop");
    count(sets, "Deployment.apps", "bank");
    count(sets, "Deployment.apps", "shop");
    count_slices(sets, SLICE("Namespace"), (struct slice){NULL, 0}, 0);
    assert_int_equal(reviews_of(sets, "object_kind=\"Deployment.apps\",object_namespace=\"shop\""), 2);
    assert_int_equal(reviews_of(sets, "object_kind=\"Deployment.apps\",object_namespace=\"bank\""), 1);
    assert_int_equal(reviews_of(sets, "object_kind=\"Namespace\",object_namespace=\"\""), 1);
    assert_true(see(sets, "object_kind=\"other\",object_namespace=\"other\"").exists);
    assert_int_equal(see(sets, NULL).sets, 4);
    label_sets_destroy(sets);
}

/* Where only one of the names counts, the other makes no difference. */
static void one_label(void **state)
{
    (void)state;
    struct label_sets *kinds = label_sets_create((struct label_names){.kind = true}, LIMIT, seed);
    count(kinds, "Job.batch", "a");
    count(kinds, "Job.batch", "b");
    assert_int_equal(reviews_of(kinds, "object_kind=\"Job.batch\""), 2);
    label_sets_destroy(kinds);
    struct label_sets *namespaces = label_sets_create((struct label_names){.namespace = true}, LIMIT, seed);
    count(namespaces, "Job.batch", "a");
    count(namespaces, "Service", "a");
    assert_int_equal(reviews_of(namespaces, "object_namespace=\"a\""), 2);
    /* A namespace of that name shares the series: two with the same labels would spoil the scrape. */
    count(namespaces, "Service", "other");
    assert_int_equal(reviews_of(namespaces, "object_namespace=\"other\""), 1);
    assert_int_equal(see(namespaces, NULL).sets, 2);
    label_sets_destroy(namespaces);
}

static void what_is_no_name_is_other(void **state)
{
    (void)state;
    char exact[LABEL_VALUE_BYTES_MAX + 1], longer[LABEL_VALUE_BYTES_MAX + 2];
    memset(exact, 'a', sizeof(exact));
    memset(longer, 'a', sizeof(longer));
    exact[sizeof(exact) - 1] = longer[sizeof(longer) - 1] = 0;
    struct label_sets *sets = label_sets_create(both, LIMIT, seed);
    const char *const hostile[] = {"a\"b",         "a\\b", "a\nb", "a\x1b[31mb", "a{b", "a b",
                                   "\xe2\x80\xae", "\xff", "a=b",  "a,b",        longer};
    const size_t hostile_count = ARRAY_SIZE(hostile);
    for (size_t i = 0; i < hostile_count; i++) {
        count(sets, "Service", hostile[i]);
        count(sets, hostile[i], "shop");
    }
    count_slices(sets, (struct slice){"a\0b", 3}, SLICE("shop"), 0);
    assert_int_equal(
        reviews_of(sets, "object_kind=\"other\",object_namespace=\"other\""), 2 * hostile_count + 1);
    assert_int_equal(see(sets, NULL).sets, 1);
    count(sets, exact, exact);
    assert_int_equal(see(sets, NULL).sets, 2);
    label_sets_destroy(sets);
}

static void count_numbered(struct label_sets *sets, unsigned number, uint64_t now)
{
    char namespace[16];
    snprintf(namespace, sizeof(namespace), "n%u", number);
    count_slices(sets, SLICE("Service"), slice_of(namespace), now);
}

static bool has_numbered(struct label_sets *sets, unsigned number)
{
    char labels[96];
    snprintf(labels, sizeof(labels), "object_kind=\"Service\",object_namespace=\"n%u\"", number);
    return see(sets, labels).exists;
}

/* A set that was counted since stays; a set that comes back begins at zero, and its old count is among the
 * forgotten. */
static void the_least_recent_gives_way(void **state)
{
    (void)state;
    struct label_sets *sets = label_sets_create(both, 3, seed);
    for (unsigned number = 0; number < 3; number++)
        count_numbered(sets, number, 0);
    count_numbered(sets, 0, 0);
    count_numbered(sets, 3, 0);
    assert_true(has_numbered(sets, 0));
    assert_false(has_numbered(sets, 1));
    assert_true(has_numbered(sets, 2));
    assert_int_equal(label_sets_forgotten(sets).reviews[true], 1);
    assert_int_equal(label_sets_forgotten(sets).findings[0][action_pair_index(ACTION_WARN, ACTION_DENY)], 1);
    count_numbered(sets, 1, 0);
    assert_false(has_numbered(sets, 2));
    assert_int_equal(reviews_of(sets, "object_kind=\"Service\",object_namespace=\"n1\""), 1);
    assert_int_equal(label_sets_forgotten(sets).reviews[true], 2);
    assert_int_equal(see(sets, NULL).total + label_sets_forgotten(sets).reviews[true], 6);
    assert_int_equal(see(sets, NULL).sets, 4);
    label_sets_destroy(sets);
}

/* Names without end are "other" in the end, until time has passed. */
static void only_so_many_give_way(void **state)
{
    (void)state;
    struct label_sets *sets = label_sets_create(both, LIMIT, seed);
    unsigned number = 0;
    uint64_t now = 5000000;
    while (number < LIMIT + LABEL_SET_RENEWALS_MAX)
        count_numbered(sets, number++, now);
    assert_int_equal(reviews_of(sets, "object_kind=\"other\",object_namespace=\"other\""), 0);
    count_numbered(sets, number++, now);
    count_numbered(sets, number, now + LABEL_SET_RENEWAL_MS - 1);
    assert_int_equal(reviews_of(sets, "object_kind=\"other\",object_namespace=\"other\""), 2);
    assert_false(has_numbered(sets, number));
    count_numbered(sets, number, now + LABEL_SET_RENEWAL_MS);
    assert_true(has_numbered(sets, number));
    count_numbered(sets, ++number, now + LABEL_SET_RENEWAL_MS);
    assert_false(has_numbered(sets, number));
    assert_int_equal(see(sets, NULL).total + label_sets_forgotten(sets).reviews[true], number + 2);
    label_sets_destroy(sets);
}

/* There may be room for none. */
static void a_cap_of_nothing(void **state)
{
    (void)state;
    struct label_sets *sets = label_sets_create(both, 0, seed);
    count(sets, "Service", "shop");
    assert_int_equal(reviews_of(sets, "object_kind=\"other\",object_namespace=\"other\""), 1);
    label_sets_destroy(sets);
}

struct asker {
    pthread_t thread;
    struct label_sets *sets;
};

/* Twice as many label sets as there is room for, several times over. */
static void *ask(void *data)
{
    struct asker *asker = data;
    for (unsigned i = 0; i < 20 * LIMIT; i++)
        count_numbered(asker->sets, i % (2 * LIMIT), i);
    return NULL;
}

static void threads_lose_nothing(void **state)
{
    (void)state;
    struct asker askers[THREADS];
    struct label_sets *sets = label_sets_create(both, LIMIT, seed);
    for (size_t i = 0; i < THREADS; i++) {
        askers[i].sets = sets;
        assert_int_equal(pthread_create(&askers[i].thread, NULL, ask, &askers[i]), 0);
    }
    for (unsigned i = 0; i < 100; i++)
        assert_true(see(sets, NULL).sets <= LIMIT + 1);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(askers[i].thread, NULL);
    assert_int_equal(see(sets, NULL).sets, LIMIT + 1);
    assert_int_equal(
        see(sets, NULL).total + label_sets_forgotten(sets).reviews[true], (uint64_t)THREADS * 20 * LIMIT);
    label_sets_destroy(sets);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_label_set_by_itself), cmocka_unit_test(one_label),
        cmocka_unit_test(what_is_no_name_is_other), cmocka_unit_test(the_least_recent_gives_way),
        cmocka_unit_test(only_so_many_give_way),    cmocka_unit_test(a_cap_of_nothing),
        cmocka_unit_test(threads_lose_nothing),
    };
    return cmocka_run_group_tests_name("webhook label sets", tests, NULL, NULL);
}
