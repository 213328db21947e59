/* The resources of kinds, which a log or a person may name in place of the kind. */
#include "base/array_size.h"
#include "manifest/kinds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void kinds_have_their_usual_resources(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *resource;
    } rows[] = {
        {"Deployment", "deployments"}, {"deployment", "deployments"},
        {"Ingress", "ingresses"},      {"NetworkPolicy", "networkpolicies"},
        {"Gateway", "gateways"},       {"Endpoints", "endpoints"},
        {"Mutex", "mutexes"},
    };
    struct arena *arena = arena_create();
    assert_non_null(arena);
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct slice resource = kind_resource_of(slice_of(rows[i].kind), arena);
        if (!slice_equal(resource, slice_of(rows[i].resource)))
            fail_msg("%s is %.*s", rows[i].kind, (int)resource.length, resource.bytes);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(kinds_have_their_usual_resources)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
