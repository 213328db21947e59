/*
 * The ID of an ApplySet: as kubectl makes it, or members would be scolded that kubectl has labelled.
 */
#include "base/array_size.h"
#include "policy/analysis/apply_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

#define HASH "AyacEI813YwzOi-LkiONloZYvEFTxEp9m4wRlyXh8As"

/* The ID that kubectl 1.36.3 gave the Secret `myset` in the namespace `as`, and IDs of others by Python's
 * hashlib.
 */
static void ids_are_those_of_kubectl(void **state)
{
    (void)state;
    static const struct {
        const char *name, *namespace, *kind, *group, *id;
    } cases[] = {
        {"myset", "as", "Secret", "", "applyset-" HASH "-v1"},
        {"web", "default", "ApplySet", "example.com",
         "applyset-RgzxHaUQct2U6euGplI7snuoH-uYLLKwpSpq8S74-1Y-v1"},
        {"web", "", "ApplySet", "example.com", "applyset-fb95lmMx5tp5y6AfG53-ZOkHk10fOKqKuSMvx0HMKJI-v1"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct apply_set_parent parent = {
            .name = slice_of(cases[i].name),
            .namespace = slice_of(cases[i].namespace),
            .kind = slice_of(cases[i].kind),
            .group = slice_of(cases[i].group),
        };
        struct slice id = apply_set_id(&parent, arena);
        assert_int_equal(id.length, strlen(cases[i].id));
        assert_memory_equal(id.bytes, cases[i].id, id.length);
        assert_true(apply_set_id_valid(id));
    }
    arena_destroy(arena);
}

/* No other text is the ID of a parent. */
static void other_texts_are_no_ids(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "applyset-",
        "my-set",
        HASH,
        "applyset-" HASH,
        "applyset-" HASH "-v2",
        "applyset-" HASH "=-v1",
        "applyset-" HASH "-v1 ",
        "applyset--v1",
        "Applyset-" HASH "-v1",
        "applyset-AyacEI813YwzOi+LkiONloZYvEFTxEp9m4wRlyXh8As-v1",
        "applyset-AyacEI813YwzOi/LkiONloZYvEFTxEp9m4wRlyXh8As-v1",
        "applyset-AyacEI813YwzOi.LkiONloZYvEFTxEp9m4wRlyXh8As-v1",
        "applyset-AyacEI813YwzOi-LkiONloZYvEFTxEp9m4wRlyXh8At-v1", /* bits behind the 256th */
    };
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
        assert_false(apply_set_id_valid(slice_of(texts[i])));
    char with_nul[] = "applyset-" HASH "-v1";
    with_nul[20] = '\0';
    assert_false(apply_set_id_valid((struct slice){with_nul, sizeof(with_nul) - 1}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_those_of_kubectl),
        cmocka_unit_test(other_texts_are_no_ids),
    };
    return cmocka_run_group_tests_name("ApplySets", tests, NULL, NULL);
}
