/*
 * review_builder.h: AdmissionReviews from short pieces, so that a test reads as a story.
 *
 * Pieces of JSON are written with ' for ". Fields that a manager owns are written as paths with spaces
 * between: ".spec.replicas .spec.containers[name=nginx].image .metadata.finalizers[=x]"; a name with dots is
 * in braces, .metadata.annotations.{a.b/c}, and a dot at the end is the bare membership of a container:
 * ".metadata.labels.".
 */
#ifndef APPLYGUARD_TESTS_UNIT_REVIEW_BUILDER_H
#define APPLYGUARD_TESTS_UNIT_REVIEW_BUILDER_H

#include "base/json.h"
#include "policy/judge.h"
#include "policy/review/review_classify.h"
#include "policy/review/review_decode.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define ENTRIES_MAX 80

/* One entry of managedFields. `fields`: paths, or FieldsV1 itself where it begins with a brace. */
struct entry {
    const char *manager;
    const char *operation; /* Apply or Update */
    const char *fields;
    const char *subresource; /* NULL: the resource itself */
    const char *api_version; /* NULL: the object's */
    const char *time;        /* NULL: some time before the request; empty: none */
};

/* {APPLIES("flux", ".spec.replicas"), UPDATES("kubectl", ".spec.replicas", .subresource = "scale")} */
#define APPLIES(name, ...)                                                                                   \
    {                                                                                                        \
        .manager = name, .operation = "Apply", .fields = __VA_ARGS__                                         \
    }
#define UPDATES(name, ...)                                                                                   \
    {                                                                                                        \
        .manager = name, .operation = "Update", .fields = __VA_ARGS__                                        \
    }

/* One of the two objects. */
struct object_story {
    const char *body; /* members other than apiVersion, kind and metadata; NULL: there is no such object */
    const char *metadata;       /* further members of metadata */
    const char *annotations;    /* members of the annotations */
    const char *last_applied;   /* the annotation: a piece of JSON */
    const char *managed_fields; /* as they are, instead of `entries` */
    struct entry entries[ENTRIES_MAX];
};

struct story {
    struct object_story old;
    struct object_story new;
    const char *manager;   /* options.fieldManager; NULL: none */
    const char *operation; /* NULL: UPDATE where there is an old object, else CREATE */
    const char *group;     /* these three: NULL is a Deployment of apps/v1 */
    const char *version;
    const char *kind;
    const char *namespace; /* NULL: default */
    const char *name;      /* NULL: web */
    const char *subresource;
    const char *resource; /* of apps/v1; NULL: the request does not name it */
    const char *user;     /* NULL: alice */
    const char *groups;   /* members of the user's groups */
    const char *uid;      /* NULL: uid-1 */
    bool dry_run;
    const char *envelope; /* NULL: admission.k8s.io/v1 */
};

static inline const char *or_else(const char *text, const char *otherwise)
{
    return text ? text : otherwise;
}

/* The time of entries that the request did not write, and of entries that it did. */
#define BEFORE "2026-01-01T00:00:00Z"
#define NOW "2026-01-01T00:00:09Z"

/* ' for ". */
static inline void put_piece(FILE *out, const char *piece)
{
    for (; *piece; piece++)
        fputc(*piece == '\'' ? '"' : *piece, out);
}

/* A JSON string that holds the text of a piece. */
static inline void put_quoted_piece(FILE *out, const char *piece)
{
    fputc('"', out);
    for (; *piece; piece++) {
        if (*piece == '\'' || *piece == '"')
            fputs("\\\"", out);
        else if (*piece == '\\')
            fputs("\\\\", out);
        else if ((unsigned char)*piece < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*piece);
        else
            fputc(*piece, out);
    }
    fputc('"', out);
}

static inline void put_member(FILE *out, const char *name, const char *value)
{
    fprintf(out, "\"%s\":", name);
    put_quoted_piece(out, value);
    fputc(',', out);
}

/* A value in brackets: a number where it is all digits, else a string. */
static inline yyjson_mut_val *bracket_value(yyjson_mut_doc *document, const char *text, size_t length)
{
    if (length && strspn(text, "0123456789") >= length)
        return yyjson_mut_uint(document, strtoull(text, NULL, 10));
    return yyjson_mut_strncpy(document, text, length);
}

/* name=nginx,port=80 as the key k:{"name":"nginx","port":80}; =x as v:"x"; 3 as i:3. */
static inline yyjson_mut_val *bracket_key(yyjson_mut_doc *document, const char *text, size_t length)
{
    char key[512];
    yyjson_mut_doc *inner = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *object = yyjson_mut_obj(inner);
    char kind = text[0] == '=' ? 'v' : memchr(text, '=', length) ? 'k' : 'i';
    for (const char *at = text, *end = text + length; kind == 'k' && at < end;) {
        size_t name = strcspn(at, "="), value = strcspn(at + name + 1, ",]");
        yyjson_mut_obj_add(
            object, yyjson_mut_strncpy(inner, at, name), bracket_value(inner, at + name + 1, value));
        at += name + value + 2;
    }
    char *json = yyjson_mut_val_write(
        kind == 'k'       ? object
            : kind == 'v' ? bracket_value(inner, text + 1, length - 1)
                          : bracket_value(inner, text, length),
        0, NULL);
    snprintf(key, sizeof(key), "%c:%s", kind, json);
    free(json);
    yyjson_mut_doc_free(inner);
    return yyjson_mut_strcpy(document, key);
}

/* The element at `*at` as a key of FieldsV1; moves behind it. */
static inline yyjson_mut_val *take_element(yyjson_mut_doc *document, const char **at)
{
    if (**at == '[') {
        size_t length = strcspn(++*at, "]");
        yyjson_mut_val *key = bracket_key(document, *at, length);
        *at += length + 1;
        return key;
    }
    bool braced = (*at)[1] == '{';
    *at += braced ? 2 : 1;
    size_t length = strcspn(*at, braced ? "}" : ".[ ");
    char name[2048];
    snprintf(name, sizeof(name), length ? "f:%.*s" : ".", (int)length, *at);
    *at += length + braced;
    return yyjson_mut_strcpy(document, name);
}

static inline yyjson_mut_val *child_of(yyjson_mut_doc *document, yyjson_mut_val *node, yyjson_mut_val *key)
{
    yyjson_mut_val *child = yyjson_mut_obj_getn(node, yyjson_mut_get_str(key), yyjson_mut_get_len(key));
    if (!child) {
        child = yyjson_mut_obj(document);
        yyjson_mut_obj_add(node, key, child);
    }
    return child;
}

static inline void put_fields(FILE *out, const char *paths)
{
    if (paths[0] == '{') {
        put_piece(out, paths);
        return;
    }
    yyjson_mut_doc *document = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(document), *node = root;
    for (const char *at = paths; *at;) {
        if (*at == ' ') {
            node = root;
            at++;
        } else {
            node = child_of(document, node, take_element(document, &at));
        }
    }
    char *json = yyjson_mut_val_write(root, 0, NULL);
    fputs(json, out);
    free(json);
    yyjson_mut_doc_free(document);
}

static inline void put_entry(FILE *out, const struct entry *entry, const char *api_version)
{
    fputc('{', out);
    put_member(out, "manager", entry->manager);
    put_member(out, "operation", entry->operation);
    put_member(out, "apiVersion", or_else(entry->api_version, api_version));
    if (!entry->time || *entry->time)
        put_member(out, "time", or_else(entry->time, BEFORE));
    if (entry->subresource)
        put_member(out, "subresource", entry->subresource);
    fputs("\"fieldsType\":\"FieldsV1\",\"fieldsV1\":", out);
    put_fields(out, entry->fields);
    fputc('}', out);
}

static inline void put_annotations(FILE *out, const struct object_story *object)
{
    if (!object->annotations && !object->last_applied)
        return;
    fputs(",\"annotations\":{", out);
    if (object->last_applied) {
        fprintf(out, "\"%s\":", LAST_APPLIED_ANNOTATION);
        put_quoted_piece(out, object->last_applied);
    }
    fputs(object->annotations && object->last_applied ? "," : "", out);
    put_piece(out, or_else(object->annotations, ""));
    fputc('}', out);
}

static inline void put_managed_fields(FILE *out, const struct object_story *object, const char *api_version)
{
    if (object->managed_fields) {
        fputs(",\"managedFields\":", out);
        put_piece(out, object->managed_fields);
        return;
    }
    if (!object->entries[0].manager)
        return;
    fputs(",\"managedFields\":[", out);
    for (size_t i = 0; i < ENTRIES_MAX && object->entries[i].manager; i++) {
        fputs(i ? "," : "", out);
        put_entry(out, &object->entries[i], api_version);
    }
    fputc(']', out);
}

static inline void put_object(FILE *out, const struct story *story, const struct object_story *object)
{
    if (!object->body) {
        fputs("null", out);
        return;
    }
    const char *group = or_else(story->group, "apps"), *version = or_else(story->version, "v1");
    char api_version[300];
    snprintf(api_version, sizeof(api_version), "%s%s%s", group, *group ? "/" : "", version);
    fputc('{', out);
    put_member(out, "apiVersion", api_version);
    put_member(out, "kind", or_else(story->kind, "Deployment"));
    fputs("\"metadata\":{", out);
    put_member(out, "namespace", or_else(story->namespace, "default"));
    fputs("\"name\":", out);
    put_quoted_piece(out, or_else(story->name, "web"));
    fputs(object->metadata ? "," : "", out);
    put_piece(out, or_else(object->metadata, ""));
    put_annotations(out, object);
    put_managed_fields(out, object, api_version);
    fputs(*object->body ? "}," : "}", out);
    put_piece(out, object->body);
    fputc('}', out);
}

static inline void put_request(FILE *out, const struct story *story)
{
    put_member(out, "uid", or_else(story->uid, "uid-1"));
    fputs("\"kind\":{", out);
    put_member(out, "group", or_else(story->group, "apps"));
    put_member(out, "version", or_else(story->version, "v1"));
    fputs("\"kind\":", out);
    put_quoted_piece(out, or_else(story->kind, "Deployment"));
    fputs("},", out);
    if (story->resource)
        fprintf(
            out, "\"resource\":{\"group\":\"apps\",\"version\":\"v1\",\"resource\":\"%s\"},",
            story->resource);
    put_member(out, "name", or_else(story->name, "web"));
    put_member(out, "namespace", or_else(story->namespace, "default"));
    if (story->subresource)
        put_member(out, "subResource", story->subresource);
    put_member(out, "operation", or_else(story->operation, story->old.body ? "UPDATE" : "CREATE"));
    fputs("\"userInfo\":{\"username\":", out);
    put_quoted_piece(out, or_else(story->user, "alice"));
    fputs(",\"groups\":[", out);
    put_piece(out, or_else(story->groups, ""));
    fputs("]},\"object\":", out);
    put_object(out, story, &story->new);
    fputs(",\"oldObject\":", out);
    put_object(out, story, &story->old);
    fputs(story->dry_run ? ",\"dryRun\":true" : ",\"dryRun\":false", out);
    fputs(",\"options\":{", out);
    if (story->manager) {
        fputs("\"fieldManager\":", out);
        put_quoted_piece(out, story->manager);
    }
    fputc('}', out);
}

/* The caller frees the bytes. */
static inline struct slice build_review(const struct story *story)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    fputs("{\"kind\":\"AdmissionReview\",", out);
    put_member(out, "apiVersion", or_else(story->envelope, "admission.k8s.io/v1"));
    fputs("\"request\":{", out);
    put_request(out, story);
    fputs("}}", out);
    fclose(out);
    return (struct slice){bytes, length};
}

/* Where stories are judged, one after another: what one verdict points to goes with the next. */
struct court {
    struct arena *arena;
    struct policy *policy;
    enum mode ceiling;
    int64_t now;
    struct takeover_history *takeover_history; /* NULL: what changed hands before is not known */
};

static inline int court_open(void **state)
{
    struct court *court = calloc(1, sizeof(*court));
    assert_non_null(court);
    court->arena = arena_create();
    assert_non_null(court->arena);
    court->ceiling = MODE_ENFORCE;
    *state = court;
    return 0;
}

static inline int court_close(void **state)
{
    struct court *court = *state;
    takeover_history_destroy(court->takeover_history);
    arena_destroy(court->arena);
    policy_free(court->policy);
    free(court);
    return 0;
}

#define IN_COURT(test) cmocka_unit_test_setup_teardown(test, court_open, court_close)

#define BASELINE "profile: baseline\n"
#define STRICT "profile: strict\n"

/* `policy`: the lines of a policy file after its head. */
static inline void court_load(struct court *court, const char *policy)
{
    static const char head[] = "apiVersion: applyguard.io/v1\nkind: Policy\n";
    size_t size = sizeof(head) + strlen(policy);
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%s%s", head, policy);
    struct error error = {0};
    policy_free(court->policy);
    court->policy = policy_load(slice_of(text), &error);
    free(text);
    if (!court->policy)
        fail_msg("the policy does not load: %u:%u: %s", error.line, error.column, error.message);
}

static inline const struct verdict *judge_body(struct court *court, struct slice body)
{
    struct judge_options options = {
        .ceiling = court->ceiling, .now = court->now, .takeover_history = court->takeover_history};
    const struct verdict *verdict = NULL;
    struct error error = {0};
    arena_reset(court->arena);
    if (judge(court->policy, body, &options, court->arena, &verdict, &error) != JUDGE_OK)
        fail_msg("the review is not judged: %s", error.message);
    return verdict;
}

static inline const struct verdict *judge_story(
    struct court *court, const char *policy, const struct story *story)
{
    court_load(court, policy);
    struct slice body = build_review(story);
    const struct verdict *verdict = judge_body(court, body);
    free((char *)(uintptr_t)body.bytes);
    return verdict;
}

/* Decoded, without any policy's lines. */
static inline struct review *decode_story(struct court *court, const struct story *story)
{
    struct slice body = build_review(story);
    const struct review *review = NULL;
    struct error error = {0};
    arena_reset(court->arena);
    if (review_decode(body, YYJSON_READ_NOFLAG, court->arena, &review, &error) != REVIEW_OK)
        fail_msg("the review is not decoded: %s", error.message);
    free((char *)(uintptr_t)body.bytes);
    struct review *classified = review_classify(review, NULL);
    assert_non_null(classified);
    return classified;
}

static inline size_t count_findings(const struct verdict *verdict, enum rule_id rule)
{
    size_t count = 0;
    for (size_t i = 0; i < verdict->finding_count; i++)
        count += verdict->findings[i].rule == rule;
    return count;
}

static inline void print_findings(const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        print_message(
            "  %s %s: %.*s\n", rules[finding->rule].name, action_name(finding->action),
            (int)finding->message.length, finding->message.bytes);
    }
}

static inline void expect_count(const struct verdict *verdict, enum rule_id rule, size_t count)
{
    if (count_findings(verdict, rule) == count)
        return;
    print_findings(verdict);
    fail_msg("%zu findings of %s, not %zu", count_findings(verdict, rule), rules[rule].name, count);
}

static inline void expect_silence(const struct verdict *verdict, enum rule_id rule)
{
    expect_count(verdict, rule, 0);
}

/* No rule says anything at all. */
static inline void expect_nothing(const struct verdict *verdict)
{
    if (verdict->finding_count == 0)
        return;
    print_findings(verdict);
    fail_msg("%zu findings, not none", verdict->finding_count);
}

static inline const struct finding *finding_of(const struct verdict *verdict, enum rule_id rule)
{
    for (size_t i = 0; i < verdict->finding_count; i++) {
        if (verdict->findings[i].rule == rule)
            return &verdict->findings[i];
    }
    fail_msg("no finding of %s", rules[rule].name);
    return NULL;
}

static inline void expect_text(struct slice text, const char *expected)
{
    if (!slice_equal(text, slice_of(expected)))
        fail_msg("\"%.*s\" is not \"%s\"", (int)text.length, or_else(text.bytes, ""), expected);
}

static inline bool contains(struct slice text, const char *part)
{
    return memmem(text.bytes, text.length, part, strlen(part)) != NULL;
}

static inline void expect_part(struct slice text, const char *part)
{
    if (!contains(text, part))
        fail_msg("\"%.*s\" does not say \"%s\"", (int)text.length, or_else(text.bytes, ""), part);
}

/* The finding's fields with a space between. */
static inline void expect_fields(const struct finding *finding, const char *expected)
{
    char listed[16384] = "";
    size_t length = 0;
    for (size_t i = 0; i < finding->field_count; i++) {
        int written = snprintf(
            listed + length, sizeof(listed) - length, "%s%.*s", i ? " " : "", (int)finding->fields[i].length,
            finding->fields[i].bytes);
        assert_true(written >= 0 && (size_t)written < sizeof(listed) - length);
        length += (size_t)written;
    }
    assert_string_equal(listed, expected);
}

/* The rule has exactly one finding, of this action and these fields. */
static inline const struct finding *expect_finding(
    const struct verdict *verdict, enum rule_id rule, enum action action, const char *fields)
{
    expect_count(verdict, rule, 1);
    const struct finding *finding = finding_of(verdict, rule);
    if (finding->action != action)
        fail_msg("%s is %s, not %s", rules[rule].name, action_name(finding->action), action_name(action));
    expect_fields(finding, fields);
    return finding;
}

static inline void expect_manager(
    const struct manager *manager, const char *name, enum manager_operation operation,
    const char *subresource)
{
    expect_text(manager->name, name);
    assert_int_equal(manager->operation, operation);
    expect_text(manager->subresource, subresource);
}

/* A person sets another value on a field of an applier: denied under strict. */
static inline struct story plain_edit(void)
{
    return (struct story){
        .manager = "kubectl-edit",
        .old = {.body = "'spec':{'a':1}", .entries = {APPLIES("flux", ".spec.a")}},
        .new = {.body = "'spec':{'a':2}", .entries = {UPDATES("kubectl-edit", ".spec.a")}},
    };
}

#endif
