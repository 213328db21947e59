/*
 * JSON paths of other tools against fields as the API server prints them, by an object. A path that covers
 * too much waives other findings than intended.
 */
#include "base/array_size.h"
#include "base/json.h"
#include "policy/fieldset/path_components.h"
#include "policy/verdict/json_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define IN_4(value) "{\"n\":{\"n\":{\"n\":{\"n\":" value "}}}}"
#define IN_16(value) IN_4(IN_4(IN_4(IN_4(value))))
#define N_16 ".n.n.n.n.n.n.n.n.n.n.n.n.n.n.n.n"

static const char object_text[] = "{\"deep\":" IN_16(
    IN_16("1")) ",\"spec\":{\"replicas\":3,\"containers\":["
                "{\"name\":\"nginx\",\"image\":\"a\",\"ports\":[{\"containerPort\":80,\"protocol\":\"TCP\"},"
                "{\"containerPort\":80,\"protocol\":\"UDP\"}]},"
                "{\"name\":\"q\\\"]x\",\"image\":\"b\"}]},"
                "\"metadata\":{\"annotations\":{\"a.b/c\":\"1\",\"a\":\"2\"},\"finalizers\":[\"x/y\",\"z\"]},"
                "\"data\":{\"a.b\":\"1\",\"a\":{\"b\":\"2\",\"c\":\"3\"}},"
                "\"x\":[{\"a\":\"x\",\"b\":\"yz\"},{\"a\":\"p,q=\\\"r\",\"b\":\"]\"},7],"
                "\"wide\":[{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9}]}";

static bool reads(const char *field, struct path_components *steps, struct arena *arena)
{
    yyjson_doc *document = json_read(slice_of(object_text), 0, arena, NULL);
    assert_non_null(document);
    return path_components_read(
        slice_of(field), yyjson_doc_get_root(document), lookup_create(arena), arena, steps);
}

static bool covers(const char *path, const char *field)
{
    struct arena *arena = arena_create();
    struct path_components steps;
    struct json_path parsed;
    bool covered = json_path_parse(slice_of(path), &parsed) && reads(field, &steps, arena) &&
        json_path_covers(&parsed, &steps);
    arena_destroy(arena);
    return covered;
}

static void paths_cover_what_they_name(void **state)
{
    (void)state;
    static const struct {
        const char *path, *field;
        bool covers;
    } cases[] = {
        {"spec.replicas", ".spec.replicas", true},
        {"$.spec.replicas", ".spec.replicas", true},
        {".spec.replicas", ".spec.replicas", true},
        {"$['spec'][\"replicas\"]", ".spec.replicas", true},
        {"spec", ".spec.replicas", false},
        {"spec.replicas.x", ".spec.replicas", false},
        {"spec.replica", ".spec.replicas", false},
        {"spec.*", ".spec.replicas", true},
        {"*.replicas", ".spec.replicas", true},
        {"spec.*", ".spec.containers[name=\"nginx\"].image", false},
        {"spec.containers[0].image", ".spec.containers[name=\"nginx\"].image", true},
        {"spec.containers[1].image", ".spec.containers[name=\"nginx\"].image", false},
        {"spec.containers[1].image", ".spec.containers[name=\"q\\\"]x\"].image", true},
        {"spec.containers[*].image", ".spec.containers[name=\"nginx\"].image", true},
        {"spec.containers.*.image", ".spec.containers[name=\"nginx\"].image", true},
        {"spec.containers[0]", ".spec.containers[name=\"nginx\"]", true},
        {"spec.containers[0].ports[1]",
         ".spec.containers[name=\"nginx\"].ports[containerPort=80,protocol=\"UDP\"]", true},
        {"spec.containers[0].ports[0]",
         ".spec.containers[name=\"nginx\"].ports[containerPort=80,protocol=\"UDP\"]", false},
        {"metadata.finalizers[1]", ".metadata.finalizers[=\"z\"]", true},
        {"metadata.finalizers[0]", ".metadata.finalizers[=\"z\"]", false},
        {"metadata.annotations[\"a.b/c\"]", ".metadata.annotations.a.b/c", true},
        {"metadata.annotations.*", ".metadata.annotations.a.b/c", true},
        {"metadata.annotations.a", ".metadata.annotations.a.b/c", false},
        {"metadata.annotations.a", ".metadata.annotations.a", true},
        {"..", ".spec.replicas", true},
        {"..", ".deep" N_16 ".n.n.n.n.n.n.n.n.n.n.n.n.n.n.n", true},
        {"..", ".spec.containers[name=\"nginx\"].image", true},
        {"$..image", ".spec.containers[name=\"nginx\"].image", true},
        {"spec..image", ".spec.containers[name=\"nginx\"].image", true},
        {"spec..", ".spec.replicas", true},
        {"spec..", ".data.a.c", false},
        {"spec..image", ".spec.replicas", false},
        {"data.a.c", ".data.a.c", true},
        {"x[0]", ".x[a=\"x\",b=\"yz\"]", true},
        {"x[0].b", ".x[a=\"x\",b=\"yz\"].b", true},
        {"x[0].b", ".x[b=\"yz\"].b", true},
        {"x[1].b", ".x[a=\"p,q=\\\"r\",b=\"]\"].b", true},
        {"x[0].b", ".x[a=\"p,q=\\\"r\",b=\"]\"].b", false},
        {"x[2]", ".x[=7]", true},
        {"wide[0]", ".wide[a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8]", true},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        if (covers(cases[i].path, cases[i].field) != cases[i].covers)
            fail_msg("%s, %s", cases[i].path, cases[i].field);
    }
}

/* Fields that the object has not, or has twice in print, are covered by nothing. */
static void unknown_fields_are_not_covered(void **state)
{
    (void)state;
    static const char *const fields[] = {
        "",
        ".",
        "spec",
        ".spec.absent",
        ".spec.replicas.x",
        ".spec.containers[name=\"absent\"]",
        ".spec.containers[name=\"nginx\"",
        ".spec.containers[name=\"nginx\"]x",
        ".spec[=\"replicas\"]",
        /* No list type has more key fields than eight. */
        ".wide[a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9]",
        /* With more levels than are looked at. */
        ".deep" N_16 N_16,
        /* a.b of data, or b of a of data */
        ".data.a.b",
    };
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
        if (covers("..", fields[i]))
            fail_msg("%s", fields[i]);
    }
}

static void syntax_of_names_and_positions_is_understood(void **state)
{
    (void)state;
    static const struct {
        const char *path;
        size_t steps;
    } cases[] = {
        {"a", 1},           {"a[0]", 2},
        {"*[0]", 2},        {"$[0]", 1},
        {"[0]", 1},         {"$.a", 1},
        {".a", 1},          {"a..b", 3},
        {"a..[0]", 3},      {"..*", 2},
        {"[9999]", 1},      {"['a.b']", 1},
        {"a[*].b", 3},      {"*", 1},
        {"$['a']['b']", 2}, {"a['b\"c']", 2},
        {"a[\"b'c\"]", 2},  {"a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.1.2.3.4.5.6", 32},
    };
    struct json_path path;
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        if (!json_path_parse(slice_of(cases[i].path), &path) || path.count != cases[i].steps)
            fail_msg("%s has %zu steps", cases[i].path, path.count);
    }
}

static void other_syntax_is_not_understood(void **state)
{
    (void)state;
    static const char *const paths[] = {
        "",
        "$",
        "spec.",
        "spec[",
        "spec[0",
        "spec['a",
        "spec[-1]",
        "spec[0:2]",
        "spec[0,1]",
        "spec[?(@.a)]",
        "spec[(@.length-1)]",
        "a b",
        "@.a",
        "spec..[0",
        "spec[\"a\\\"b\"]",
        "spec[99999]",
        "spec[0]x",
        "a...b",
        "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.1.2.3.4.5.6.7",
        "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.1.2.3.4.5.6..",
    };
    struct json_path path;
    for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
        if (json_path_parse(slice_of(paths[i]), &path))
            fail_msg("%s", paths[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_cover_what_they_name),
        cmocka_unit_test(unknown_fields_are_not_covered),
        cmocka_unit_test(syntax_of_names_and_positions_is_understood),
        cmocka_unit_test(other_syntax_is_not_understood),
    };
    return cmocka_run_group_tests_name("json_path", tests, NULL, NULL);
}
