/* Facts in manifests about each other. */
#include "policy/analysis/manifest_set.h"

#include "tests/unit/parse.h"

#include <stdio.h>

#define OBJECT(kind, ns, object_name)                                                                        \
    &(struct manifest_identity)                                                                              \
    {                                                                                                        \
        SLICE_LITERAL(kind), SLICE_LITERAL(ns), SLICE_LITERAL(object_name)                                   \
    }

static int set_up(void **state)
{
    *state = arena_create();
    return *state ? 0 : -1;
}

static int tear_down(void **state)
{
    arena_destroy(*state);
    return 0;
}

static struct manifest_set *new_set(struct arena *arena)
{
    struct manifest_set *set = manifest_set_create(arena, (struct siphash_seed){{1, 2}});
    assert_non_null(set);
    return set;
}

static struct document_place at(unsigned line, size_t order)
{
    return (struct document_place){.file = SLICE("a.yaml"), .line = line, .order = order};
}

static void the_first_in_order_counts(void **state)
{
    struct manifest_set *set = new_set(*state);
    const struct document_place second = at(20, 2), first = at(10, 1), third = at(30, 3);
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "web"), &second));
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "web"), &first));
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "web"), &third));
    assert_int_equal(manifest_set_first(set, OBJECT("Pod", "shop", "web"), &third, *state)->line, 10);
}

static void every_part_of_an_identity_counts(void **state)
{
    struct manifest_set *set = new_set(*state);
    const struct document_place place = at(1, 0);
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "web"), &place));
    assert_null(manifest_set_first(set, OBJECT("Pods", "hop", "web"), &place, *state));
    assert_null(manifest_set_first(set, OBJECT("Pod", "shopw", "eb"), &place, *state));
    assert_null(manifest_set_first(set, OBJECT("Pod", "", "web"), &place, *state));
    assert_null(manifest_set_first(set, OBJECT("Pod.example.com", "shop", "web"), &place, *state));
}

static struct document_place in_folder(const char *file, size_t order)
{
    return (struct document_place){.root = SLICE("shop/"), .file = slice_of(file), .line = 1, .order = order};
}

/* Two files that repeat objects of others; one may be a mistake, and so may a kustomization. */
static void files_that_repeat_others_are_alternatives(void **state)
{
    struct manifest_set *set = new_set(*state);
    const struct document_place first = in_folder("a.yaml", 0), second = in_folder("b.yaml", 1),
                                again = in_folder("b.yaml", 2), third = in_folder("c.yaml", 3);
    struct document_place taken = third;
    taken.is_kustomized = true;
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "web"), &first));
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "db"), &first));
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "web"), &second));
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "db"), &again));
    assert_false(manifest_set_are_alternatives(set, &second, &first, *state));
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "web"), &third));
    assert_true(manifest_set_are_alternatives(set, &second, &first, *state));
    assert_false(manifest_set_are_alternatives(set, &second, &again, *state));
    assert_false(manifest_set_are_alternatives(set, &taken, &first, *state));
}

/* An autoscaler may scale what no manifest declares. */
static void a_target_is_no_declaration(void **state)
{
    struct manifest_set *set = new_set(*state);
    char kind[] = "HorizontalPodAutoscaler.autoscaling", namespace[] = "shop", name[] = "scaler";
    const struct manifest_autoscaler scaler = {
        {slice_of(kind), slice_of(namespace), slice_of(name)}, at(5, 0)};
    assert_true(manifest_set_add_autoscaler(set, &scaler, OBJECT("Deployment.apps", "shop", "web")));
    /* The file that it was read from is gone. */
    kind[0] = namespace[0] = name[0] = '?';
    const struct document_place place = at(1, 1);
    assert_null(manifest_set_first(set, OBJECT("Deployment.apps", "shop", "web"), &place, *state));
    assert_null(manifest_set_autoscaler_of(set, OBJECT("Deployment.apps", "shop", "other"), &place, *state));
    const struct manifest_autoscaler *found =
        manifest_set_autoscaler_of(set, OBJECT("Deployment.apps", "shop", "web"), &place, *state);
    assert_true(slice_equal(found->identity.group_kind, SLICE("HorizontalPodAutoscaler.autoscaling")));
    assert_true(slice_equal(found->identity.namespace, SLICE("shop")));
    assert_true(slice_equal(found->identity.name, SLICE("scaler")));
    assert_int_equal(found->place.line, 5);
}

static struct document_place in(const char *root, unsigned line, size_t order)
{
    return (struct document_place){
        .root = slice_of(root), .file = SLICE("a.yaml"), .line = line, .order = order};
}

static void each_root_declares_its_own(void **state)
{
    struct manifest_set *set = new_set(*state);
    const struct document_place dev = in("dev/", 1, 0), prod = in("prod/", 2, 1), none = at(3, 2);
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "web"), &dev));
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "web"), &prod));
    assert_int_equal(manifest_set_first(set, OBJECT("Pod", "shop", "web"), &dev, *state)->line, 1);
    assert_int_equal(manifest_set_first(set, OBJECT("Pod", "shop", "web"), &prod, *state)->line, 2);
    assert_false(manifest_set_is_shared(set, OBJECT("Pod", "shop", "web"), *state));
    const struct document_place base = in("base/", 4, 3);
    assert_null(manifest_set_first(set, OBJECT("Pod", "shop", "web"), &base, *state));
    assert_true(manifest_set_add(set, OBJECT("Pod", "shop", "web"), &none));
    assert_int_equal(manifest_set_first(set, OBJECT("Pod", "shop", "web"), &prod, *state)->line, 2);
}

/* An overlay scales what its base declares. The manifests do not show which of two bases it is made of. */
static void an_autoscaler_scales_what_only_one_root_declares(void **state)
{
    struct manifest_set *set = new_set(*state);
    const struct document_place base = in("base/", 1, 0), prod = in("prod/", 2, 1),
                                other = in("other/", 3, 2);
    const struct manifest_identity web = *OBJECT("Deployment.apps", "shop", "web");
    const struct manifest_autoscaler scaler = {
        *OBJECT("HorizontalPodAutoscaler.autoscaling", "shop", "web"), prod};
    assert_true(manifest_set_add(set, &web, &base));
    assert_true(manifest_set_add_autoscaler(set, &scaler, &web));
    assert_int_equal(manifest_set_autoscaler_of(set, &web, &base, *state)->place.line, 2);
    assert_true(manifest_set_add(set, &web, &other));
    assert_null(manifest_set_autoscaler_of(set, &web, &base, *state));
    assert_null(manifest_set_autoscaler_of(set, &web, &other, *state));
    assert_int_equal(manifest_set_autoscaler_of(set, &web, &prod, *state)->place.line, 2);
}

/* The first in order of each root, in any order of arrival. */
static void each_root_has_its_autoscaler(void **state)
{
    struct manifest_set *set = new_set(*state);
    const struct document_place dev = in("dev/", 7, 7), prod = in("prod/", 2, 1);
    const struct manifest_identity web = *OBJECT("Deployment.apps", "shop", "web");
    const unsigned orders[] = {8, 5, 6};
    for (size_t i = 0; i < 3; i++)
        assert_true(manifest_set_add_autoscaler(
            set,
            &(struct manifest_autoscaler){
                *OBJECT("HorizontalPodAutoscaler.autoscaling", "shop", "web"),
                in("prod/", orders[i], orders[i])},
            &web));
    const struct manifest_autoscaler scaler = {
        *OBJECT("HorizontalPodAutoscaler.autoscaling", "shop", "web"), dev};
    assert_true(manifest_set_add_autoscaler(set, &scaler, &web));
    assert_int_equal(manifest_set_autoscaler_of(set, &web, &dev, *state)->place.line, 7);
    assert_int_equal(manifest_set_autoscaler_of(set, &web, &prod, *state)->place.line, 5);
}

static void many_are_found_again(void **state)
{
    enum { MANY = 3000 };
    struct manifest_set *set = new_set(*state);
    char name[16];
    for (unsigned i = 0; i < MANY; i++) {
        const struct document_place place = at(i + 1, i);
        snprintf(name, sizeof(name), "web-%u", i);
        assert_true(manifest_set_add(
            set, &(struct manifest_identity){SLICE("Pod"), SLICE("shop"), slice_of(name)}, &place));
    }
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(name, sizeof(name), "web-%u", i);
        const struct document_place other = at(0, 0);
        const struct document_place *place = manifest_set_first(
            set, &(struct manifest_identity){SLICE("Pod"), SLICE("shop"), slice_of(name)}, &other, *state);
        assert_int_equal(place->line, i + 1);
    }
}

static void no_memory_is_reported(void **state)
{
    struct manifest_set *set = new_set(*state);
    const struct document_place place = at(1, 0);
    arena_limit(*state, 1);
    bool is_added = true;
    char name[64] = "";
    for (unsigned i = 0; is_added && i < 100000; i++) {
        snprintf(name, sizeof(name), "a-name-that-takes-some-room-%u", i);
        is_added = manifest_set_add(
            set, &(struct manifest_identity){SLICE("Pod"), SLICE("shop"), slice_of(name)}, &place);
    }
    assert_false(is_added);
    assert_true(arena_has_failed(*state));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_first_in_order_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_part_of_an_identity_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_that_repeat_others_are_alternatives, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_target_is_no_declaration, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_root_declares_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_autoscaler_scales_what_only_one_root_declares, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_root_has_its_autoscaler, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_are_found_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_memory_is_reported, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("manifest set", tests, NULL, NULL);
}
