/*
 * Whatever the API server answers about the object that a scale is of: the review of the scale is answered as
 * answer.h has it, and an object that is another changes nothing. The input is a JSON list of a review and an
 * object; or, if it is not a review, the object for a fixed review.
 */
#include "base/json.h"
#include "fuzz.h"
#include "policy/review/scale.h"
#include "tests/fuzz/answer.h"

static const char plain_scale[] =
    "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"u\","
    "\"kind\":{\"group\":\"autoscaling\",\"version\":\"v1\",\"kind\":\"Scale\"},"
    "\"resource\":{\"group\":\"apps\",\"version\":\"v1\",\"resource\":\"deployments\"},\"subResource\":"
    "\"scale\","
    "\"name\":\"web\",\"namespace\":\"default\",\"operation\":\"UPDATE\",\"userInfo\":{\"username\":"
    "\"admin\"},"
    "\"object\":{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{\"name\":\"web\","
    "\"namespace\":\"default\",\"uid\":\"b92c57b6\",\"resourceVersion\":\"260\"},\"spec\":{\"replicas\":5}},"
    "\"oldObject\":{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{\"name\":\"web\","
    "\"namespace\":\"default\",\"uid\":\"b92c57b6\",\"resourceVersion\":\"260\"},\"spec\":{\"replicas\":3}},"
    "\"options\":{\"kind\":\"UpdateOptions\",\"apiVersion\":\"meta.k8s.io/v1\"}}}";

static struct slice written(yyjson_val *value, struct arena *arena)
{
    const yyjson_alc allocator = arena_yyjson(arena);
    size_t length = 0;
    char *text = yyjson_val_write_opts(value, YYJSON_WRITE_NOFLAG, &allocator, &length, NULL);
    return (struct slice){text, length};
}

/* The names that become a path of the API are nothing but names. */
static void check_target(const struct review *review)
{
    struct scale_target target;
    if (!scale_target_of(review, &target))
        return;
    const struct slice names[] = {target.namespace, target.name};
    for (size_t i = 0; i < 2; i++) {
        promise(names[i].length > 0, "what is looked up has a name");
        for (size_t j = 0; j < names[i].length; j++)
            promise(
                strchr("abcdefghijklmnopqrstuvwxyz0123456789-.", names[i].bytes[j]) && names[i].bytes[j],
                "a name that becomes a path is a plain one");
        promise(names[i].bytes[0] != '.' && names[i].bytes[0] != '-', "no path begins with a dot");
    }
}

static void check_scale(struct slice review, struct slice object, enum mode ceiling, struct arena *arena)
{
    struct question question = {
        policy_of_everything(), {.ceiling = ceiling, .now = FUZZ_NOW, .scaled = object}, review};
    struct reply with = ask(&question, arena);
    struct reply again = ask(&question, arena);
    promise(slice_equal(with.response, again.response), "the same scale has the same answer");
    question.options.scaled = (struct slice){0};
    struct reply without = ask(&question, arena);
    promise(!with.verdict == !without.verdict, "the object does not make a review unreadable");
    if (with.verdict)
        check_target(without.verdict->review);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice input = {(const char *)data, size};
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    yyjson_doc *document = json_read(input, YYJSON_READ_NUMBER_AS_RAW, arena, NULL);
    yyjson_val *root = yyjson_doc_get_root(document);
    struct slice review = slice_of(plain_scale), object = input;
    if (yyjson_is_arr(root) && yyjson_arr_size(root) == 2) {
        review = written(yyjson_arr_get_first(root), arena);
        object = written(yyjson_arr_get_last(root), arena);
    }
    check_scale(review, object, MODE_ENFORCE, arena);
    check_scale(review, object, MODE_AUDIT, arena);
    arena_destroy(arena);
    return 0;
}
