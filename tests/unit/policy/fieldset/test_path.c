/* Paths as people see them: like the API server's own, short enough for a line, and matched by patterns. */
#include "tests/unit/parse.h"

#include "base/json.h"

#include <string.h>

struct printed_path {
    const char *keys[PARSE_PATH_MAX];
    const char *printed;
};

static struct slice print(struct arena *arena, const struct path *path)
{
    struct text text = text_start(arena, 0);
    path_append(&text, path);
    return text_slice(&text);
}

/* The right side is what structured-merge-diff 6.3.3 (fieldpath.PathElement.String) printed, put together. */
static void prints_as_the_api_server_does(void **state)
{
    (void)state;
    static const struct printed_path paths[] = {
        {{"f:image"}, ".image"},
        {{"f:spec", "f:template", "f:spec", "f:containers", "k:{\"name\":\"nginx\"}", "f:image"},
         ".spec.template.spec.containers[name=\"nginx\"].image"},
        {{"f:metadata", "f:annotations", "f:kubectl.kubernetes.io/restartedAt"},
         ".metadata.annotations.kubectl.kubernetes.io/restartedAt"},
        {{"f:"}, "."},
        {{"f:ports", "k:{\"containerPort\":80,\"protocol\":\"TCP\"}"},
         ".ports[containerPort=80,protocol=\"TCP\"]"},
        {{"k:{ \"containerPort\" : 80 , \"protocol\" : \"TCP\" }"}, "[containerPort=80,protocol=\"TCP\"]"},
        {{"k:{\"port\":-1}"}, "[port=-1]"},
        {{"k:{\"on\":true}"}, "[on=true]"},
        {{"k:{\"on\":false,\"x\":null}"}, "[on=false,x=null]"},
        {{"k:{\"a\":\"]\",\"b\":\"[*]\"}"}, "[a=\"]\",b=\"[*]\"]"},
        {{"k:{}"}, "[]"},
        {{"f:finalizers", "v:\"example.com/keep\""}, ".finalizers[=\"example.com/keep\"]"},
        {{"v:1"}, "[=1]"},
        {{"v:-1"}, "[=-1]"},
        {{"v:1.5"}, "[=1.5]"},
        {{"v:1.0"}, "[=1]"},
        {{"v:0.1"}, "[=0.1]"},
        {{"v:100000.0"}, "[=100000]"},
        {{"v:0.12345678"}, "[=0.12345678]"},
        {{"v:0.30000000000000004"}, "[=0.30000000000000004]"},
        {{"v:1e21"}, "[=1e+21]"},
        {{"v:true"}, "[=true]"},
        {{"v:null"}, "[=null]"},
        {{"v:\"q\\\"b\\\\n\\n\""}, "[=\"q\\\"b\\\\n\\n\"]"},
        {{"v:\"tab\\t\\u0007\\u0000\\u001b\\u007f\""}, "[=\"tab\\t\\a\\x00\\x1b\\x7f\"]"},
        {{"v:\"\\u202e\\u200b\\ufeff\""}, "[=\"\\u202e\\u200b\\ufeff\"]"},
        {{"v:\"größe 😀\""}, "[=\"größe 😀\"]"},
        {{"f:a", "i:0", "i:3"}, ".a[0][3]"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
        assert_text(print(arena, parse_path(arena, paths[i].keys)), paths[i].printed);
    assert_text(print(arena, NULL), "");
    arena_destroy(arena);
}

/* A key with more fields than any list type has is printed whole, in the order of its fields. */
static void keys_of_many_fields_are_whole(void **state)
{
    (void)state;
    char key[256] = "k:{", printed[256] = "[";
    for (int i = 17; i > 0; i--) {
        sprintf(key + strlen(key), "\"f%02d\":%d%s", i, i, i > 1 ? "," : "}");
        sprintf(printed + strlen(printed), "f%02d=%d%s", i, i, i > 1 ? "," : "]");
    }
    const char *const keys[PARSE_PATH_MAX] = {key};
    struct arena *arena = arena_create();
    assert_text(print(arena, parse_path(arena, keys)), printed);
    arena_destroy(arena);
}

/* Words before a path in a sentence do not shorten the path. */
static void paths_have_their_room_behind_other_text(void **state)
{
    (void)state;
    char before[2 * PATH_BYTES_MAX];
    static const char *const keys[PARSE_PATH_MAX] = {"f:spec", "f:replicas"};
    memset(before, 'x', sizeof(before));
    struct arena *arena = arena_create();
    struct text text = text_start(arena, 0);
    text_append(&text, (struct slice){before, sizeof(before)});
    path_append(&text, parse_path(arena, keys));
    assert_text(slice_from(text_slice(&text), sizeof(before)), ".spec.replicas");
    arena_destroy(arena);
}

/* Whatever order the key fields come in, the API server sorts them, and so must a path people search for. */
static void key_fields_are_sorted(void **state)
{
    (void)state;
    static const char *const keys[PARSE_PATH_MAX] = {"k:{\"protocol\":\"TCP\",\"containerPort\":80}"};
    struct arena *arena = arena_create();
    const struct path *path = parse_path(arena, keys);
    assert_text(print(arena, path), "[containerPort=80,protocol=\"TCP\"]");
    assert_true(path_pattern_covers(SLICE("[containerPort=80,protocol=\"TCP\"]"), path, arena));
    arena_destroy(arena);
}

/* Field names are foreign text: escaped like all of it, with quotes left alone. */
static void names_are_printable(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    static const struct printed_path paths[] = {
        {{"f:a\nb"}, ".a\\nb"},
        {{"f:\x1b[31m"}, ".\\x1b[31m"},
        {{"f:\xe2\x80\xaegnp"}, ".\\u202egnp"},
        {{"f:say \"hi\""}, ".say \"hi\""},
        {{"k:{\"a\\nb\":\"c\\nd\"}"}, "[a\\nb=\"c\\nd\"]"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
        assert_text(print(arena, parse_path(arena, paths[i].keys)), paths[i].printed);
    arena_destroy(arena);
}

/* For an item from an object, only its key fields are printed, as far as it has them. */
static void prints_chosen_key_names_only(void **state)
{
    (void)state;
    static const struct slice names[] = {{"port", 4}, {"protocol", 8}};
    static const struct slice_list chosen = {names, 2};
    struct arena *arena = arena_create();
    struct path item = {
        .depth = 1,
        .kind = PATH_KEY,
        .json = parse_json(arena, SLICE("{\"name\":\"web\",\"protocol\":\"UDP\",\"port\":53,\"x\":{}}")),
        .key_names = &chosen};
    assert_text(print(arena, &item), "[port=53,protocol=\"UDP\"]");
    item.json = parse_json(arena, SLICE("{\"name\":\"web\",\"protocol\":\"UDP\"}"));
    assert_text(print(arena, &item), "[protocol=\"UDP\"]");
    arena_destroy(arena);
}

/* "f:" or so, `count` of a character, and an end. */
static struct slice long_key(
    struct arena *arena, const char *start, const char *fill, size_t count, const char *end)
{
    struct text text = text_start(arena, 0);
    text_append_string(&text, start);
    for (size_t i = 0; i < count; i++)
        text_append_string(&text, fill);
    text_append_string(&text, end);
    return text_slice(&text);
}

/* A name or a key's text is printed up to its bound and no further, at a character's end, with an ellipsis.
 */
static void long_names_are_cut(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (size_t bytes = PATH_NAME_BYTES_MAX - 4; bytes <= PATH_NAME_BYTES_MAX + 4; bytes++) {
        bool cut = bytes > PATH_NAME_BYTES_MAX;
        size_t kept = cut ? PATH_NAME_BYTES_MAX : bytes;
        const char *mark = cut ? "…" : "";
        struct slice field = print(arena, parse_element(arena, NULL, long_key(arena, "f:", "x", bytes, "")));
        assert_true(slice_equal(field, long_key(arena, ".", "x", kept, mark)));
        struct slice value =
            print(arena, parse_element(arena, NULL, long_key(arena, "v:\"", "x", bytes, "\"")));
        assert_true(slice_equal(value, long_key(arena, "[=\"", "x", kept, cut ? "…\"]" : "\"]")));
    }
    struct slice odd = print(arena, parse_element(arena, NULL, long_key(arena, "f:x", "é", 1000, "")));
    assert_true(slice_equal(odd, long_key(arena, ".x", "é", (PATH_NAME_BYTES_MAX - 1) / 2, "…")));
    arena_destroy(arena);
}

/* A path of any depth and width stays within its bound and an ellipsis, and begins as the whole one would. */
static void long_paths_are_cut(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (size_t width = 1; width <= 200; width += 7) {
        const struct path *path = NULL;
        struct text whole = text_start(arena, 0), text = text_start(arena, 0);
        for (unsigned depth = 0; depth < JSON_DEPTH_MAX; depth++) {
            path = parse_element(arena, path, long_key(arena, "f:é", "y", width, ""));
            path_append_element(&whole, path);
        }
        text_append_string(&text, "before ");
        path_append(&text, path);
        struct slice printed = slice_from(text_slice(&text), 7);
        if (whole.length <= PATH_BYTES_MAX) {
            assert_true(slice_equal(printed, text_slice(&whole)));
            continue;
        }
        assert_true(printed.length <= PATH_BYTES_MAX + strlen("…"));
        assert_true(printed.length > PATH_BYTES_MAX - 4);
        assert_true(slice_starts_with(text_slice(&whole), text_cut(printed, printed.length - strlen("…"))));
        assert_true(slice_equal(slice_from(printed, printed.length - strlen("…")), SLICE("…")));
    }
    arena_destroy(arena);
}

struct short_path {
    const char *printed;
    const char *first;
    const char *last; /* as it stands after the ellipsis */
};

static const struct short_path short_paths[] = {
    {".spec.template.spec.containers[name=\"nginx\"].image", ".spec", "image"},
    {".spec.template.spec.containers[name=\"a.b[c].d\"].ports[containerPort=80,protocol=\"TCP\"]", ".spec",
     "[containerPort=80,protocol=\"TCP\"]"},
    {".spec.list[k=\"q\\\"].x[\"].größe", ".spec", "größe"},
    {".metadata.finalizers[=\"example.com/a.b.c\"]", ".metadata", "[=\"example.com/a.b.c\"]"},
    {".data.世界世界世界世界.界界界", ".data", "界界界"},
    {".a[0][1][2][3]", ".a", "[3]"},
    {".é.ü", ".é", "ü"},
};

static struct slice shorten(struct arena *arena, struct slice printed, size_t limit)
{
    struct text text = text_start(arena, 0);
    path_append_short(&text, printed, limit);
    return text_slice(&text);
}

static bool ends_with(struct slice text, struct slice end)
{
    return text.length >= end.length && slice_equal(slice_from(text, text.length - end.length), end);
}

static bool is_utf8(struct arena *arena, struct slice text)
{
    struct text printable = text_start(arena, 0);
    text_append_printable(&printable, text);
    return slice_equal(text_slice(&printable), text);
}

/* At every limit: whole where it fits, else no longer than the limit and an ellipsis, and never half a
 * character. */
static void short_paths_keep_to_the_limit(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(short_paths); i++) {
        struct slice printed = slice_of(short_paths[i].printed);
        for (size_t limit = 0; limit <= printed.length + 4; limit++) {
            struct slice text = shorten(arena, printed, limit);
            assert_true(is_utf8(arena, text));
            assert_true(text.length <= limit + strlen("…"));
            if (printed.length <= limit)
                assert_true(slice_equal(text, printed));
            else
                assert_non_null(memmem(text.bytes, text.length, "…", strlen("…")));
        }
    }
    arena_destroy(arena);
}

/* Wherever there is room for both, the first and the last element stay whole: they say what it is about. */
static void short_paths_keep_both_ends(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(short_paths); i++) {
        struct slice printed = slice_of(short_paths[i].printed);
        struct slice first = slice_of(short_paths[i].first), last = slice_of(short_paths[i].last);
        size_t least = first.length + strlen("…") + last.length + 1;
        for (size_t limit = least; limit < printed.length; limit++) {
            struct slice text = shorten(arena, printed, limit);
            if (!slice_starts_with(text, first) || !ends_with(text, last))
                fail_msg("at %zu %s is %.*s", limit, printed.bytes, (int)text.length, text.bytes);
        }
    }
    arena_destroy(arena);
}

/* Whole elements are left out: a bracket or a dot in quotes does not begin one. */
static void short_paths_begin_at_elements(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct slice printed = slice_of(short_paths[0].printed);
    assert_text(shorten(arena, printed, 48), ".spec…spec.containers[name=\"nginx\"].image");
    assert_text(shorten(arena, printed, 40), ".spec…containers[name=\"nginx\"].image");
    assert_text(shorten(arena, printed, 30), ".spec…[name=\"nginx\"].image");
    assert_text(shorten(arena, printed, 20), ".spec…image");
    assert_text(shorten(arena, slice_of(short_paths[2].printed), 26), ".spec…größe");
    printed = slice_of(short_paths[1].printed);
    assert_text(shorten(arena, printed, 60), ".spec…ports[containerPort=80,protocol=\"TCP\"]");
    assert_text(shorten(arena, SLICE(".a[k=\"x.y\"].b[k=\"[.z]\"].c"), 17), ".a…[k=\"[.z]\"].c");
    arena_destroy(arena);
}

/* A list keeps its name, and its item's long key gives way: the end of it stays where the path ends there. */
static void short_paths_name_lists_of_long_keys(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    const struct slice uid = SLICE("[uid=\"0e3f1a52-6b1c-4f0e-9d52-0a9c6b3f7e11\"]");
    struct slice item = text_join(arena, ".metadata.ownerReferences", uid);
    assert_text(shorten(arena, item, 56), ".metadata.ownerReferences[…1c-4f0e-9d52-0a9c6b3f7e11\"]");
    struct slice field = text_join(arena, item, ".blockOwnerDeletion");
    assert_text(shorten(arena, field, 56), ".metadata.ownerReferences[…].blockOwnerDeletion");
    assert_text(shorten(arena, field, 40), ".metadata…blockOwnerDeletion");
    item = text_join(arena, ".spec.template.owners", uid);
    assert_text(shorten(arena, item, 48), ".spec…owners[…-6b1c-4f0e-9d52-0a9c6b3f7e11\"]");
    assert_text(shorten(arena, text_join(arena, item, ".name"), 48), ".spec…owners[…].name");
    assert_text(shorten(arena, text_join(arena, ".list", uid, ".a"), 40), ".list…a");
    arena_destroy(arena);
}

/* An element longer than the line shows its end, and a first one that long its beginning. */
static void short_paths_cut_long_elements(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_text(shorten(arena, SLICE(".data.abcdefghijklmnopqrstuvwxyz"), 20), ".data…opqrstuvwxyz");
    assert_text(shorten(arena, SLICE(".abcdefghijklmnopqrstuvwxyz.data"), 10), ".abcdefghi…");
    assert_text(shorten(arena, SLICE(".d.世世世世世世"), 12), ".d…世世");
    arena_destroy(arena);
}

struct cover_case {
    const char *pattern;
    const char *keys[PARSE_PATH_MAX];
    bool covers;
};

#define ANNOTATION "f:metadata", "f:annotations", "f:kubectl.kubernetes.io/restartedAt"
#define NGINX "f:spec", "f:containers", "k:{\"name\":\"nginx\"}"

/* A pattern is for the field it names and what is below it, whole names only, dots in them or not. */
static void patterns_cover_what_they_name(void **state)
{
    (void)state;
    static const struct cover_case cases[] = {
        {".spec", {"f:spec"}, true},
        {".spec", {"f:spec", "f:replicas"}, true},
        {".spec.replicas", {"f:spec", "f:replicas"}, true},
        {".spec.replicas", {"f:spec"}, false},
        {".spec.replicas", {"f:spec", "f:replicasMax"}, false},
        {".spec.replicasMax", {"f:spec", "f:replicas"}, false},
        {".spec.replicas", {"f:status", "f:replicas"}, false},
        {".spec.replicas", {"f:replicas"}, false},
        {".s", {"f:spec"}, false},
        {".spec", {"f:s"}, false},
        {".Spec", {"f:spec"}, false},
        {".metadata.annotations.kubectl.kubernetes.io/restartedAt", {ANNOTATION}, true},
        {".metadata.annotations.kubectl.kubernetes.io/restarted", {ANNOTATION}, false},
        {".metadata.annotations.kubectl.kubernetes.io/restartedAt.x", {ANNOTATION}, false},
        {".metadata.annotations.kubectl", {ANNOTATION}, false},
        {".metadata.annotations.kubectl.kubernetes", {ANNOTATION}, false},
        {".metadata.annotations", {ANNOTATION}, true},
        {".metadata.annotations[*]", {ANNOTATION}, true},
        {".metadata.annotations[*]", {"f:metadata", "f:annotations"}, false},
        {".metadata.annotations[*]", {"f:metadata", "f:labels", "f:a"}, false},
        {".metadata[*]", {ANNOTATION}, true},
        {".metadata[*][*]", {ANNOTATION}, true},
        {".metadata[*][*][*]", {ANNOTATION}, false},
        {".a.b", {"f:a.b"}, true},
        {".a.b", {"f:a"}, false},
        {".a", {"f:a.b"}, false},
        {".a.b.c", {"f:a.b", "f:c"}, true},
        {".a.b.c", {"f:a", "f:b.c"}, true},
        {".spec.containers[*].image", {NGINX, "f:image"}, true},
        {".spec.containers[*].image", {NGINX, "f:imagePullPolicy"}, false},
        {".spec.containers[*]", {NGINX, "f:image"}, true},
        {".spec.containers", {NGINX, "f:image"}, true},
        {".spec.containers[name=\"nginx\"].image", {NGINX, "f:image"}, true},
        {".spec.containers[name=\"nginx\"]", {NGINX, "f:image"}, true},
        {".spec.containers[name=\"nginx\"].image", {NGINX}, false},
        {".spec.containers[name=\"nginx2\"].image", {NGINX, "f:image"}, false},
        {".spec.containers[name=\"ngin\"].image", {NGINX, "f:image"}, false},
        {".spec.containers[name=nginx].image", {NGINX, "f:image"}, false},
        {".spec.containers[name=\"nginx\"].image",
         {"f:spec", "f:containers", "k:{ \"name\" : \"nginx\" }", "f:image"},
         true},
        {".spec.containers.image", {NGINX, "f:image"}, false},
        {".p[port=1,protocol=\"TCP\"]", {"f:p", "k:{\"port\":1,\"protocol\":\"TCP\"}"}, true},
        {".p[port=1]", {"f:p", "k:{\"port\":1,\"protocol\":\"TCP\"}"}, false},
        {".p[port=\"1\"]", {"f:p", "k:{\"port\":1}"}, false},
        {".f[=\"x\"]", {"f:f", "v:\"x\""}, true},
        {".f[=\"x\"]", {"f:f", "v:\"xy\""}, false},
        {".f[=1]", {"f:f", "v:\"1\""}, false},
        {".f[*]", {"f:f", "v:\"x\""}, true},
        {".f[3]", {"f:f", "i:3"}, true},
        {".f[3]", {"f:f", "i:33"}, false},
        {".f[3]", {"f:f", "f:[3]"}, false},
        {".f[name=\"a\"].b", {"f:f", "f:name=\"a\"", "f:b"}, false},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        const struct path *path = parse_path(arena, cases[i].keys);
        if (path_pattern_covers(slice_of(cases[i].pattern), path, arena) != cases[i].covers) {
            struct slice printed = print(arena, path);
            fail_msg(
                "%s %s %.*s", cases[i].pattern, cases[i].covers ? "misses" : "covers", (int)printed.length,
                printed.bytes);
        }
    }
    assert_false(path_pattern_covers(SLICE(".spec"), NULL, arena));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_as_the_api_server_does),
        cmocka_unit_test(keys_of_many_fields_are_whole),
        cmocka_unit_test(paths_have_their_room_behind_other_text),
        cmocka_unit_test(key_fields_are_sorted),
        cmocka_unit_test(names_are_printable),
        cmocka_unit_test(prints_chosen_key_names_only),
        cmocka_unit_test(long_names_are_cut),
        cmocka_unit_test(long_paths_are_cut),
        cmocka_unit_test(short_paths_keep_to_the_limit),
        cmocka_unit_test(short_paths_keep_both_ends),
        cmocka_unit_test(short_paths_begin_at_elements),
        cmocka_unit_test(short_paths_name_lists_of_long_keys),
        cmocka_unit_test(short_paths_cut_long_elements),
        cmocka_unit_test(patterns_cover_what_they_name),
    };
    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
