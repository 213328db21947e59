#include "base/array_size.h"
#include "base/quantity.h"
#include "manifest/groups.h"
#include "policy/analysis/document.h"
#include "policy/fieldset/path.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

struct search {
    const struct review *review;
    struct verdict *verdict;
};

static void report(
    const struct search *of, const struct path *path, struct slice written, struct slice canonical)
{
    struct arena *arena = of->review->arena;
    struct slice *field = arena_allocate(arena, sizeof(*field));
    struct text printed = text_start(arena, 96), text = text_start(arena, 160);
    path_append(&printed, path);
    if (!field)
        return;
    *field = text_slice(&printed);
    text_append_all(
        &text, message_fields(field, 1), " is ", message_marked(written),
        ", but a controller that updates the object stores ", canonical,
        ", which then differs from the manifest for ever; write ", canonical);
    verdict_add(
        of->verdict,
        &(struct finding){
            .rule = RULE_non_canonical_quantity,
            .action = ACTION_DENY,
            .message = text_slice(&text),
            FINDING_FIELD(field),
        });
}

/* The amounts in limits or requests, by the names of resources. */
static void check_amounts(
    const struct search *of, const struct manifest_node *amounts, const struct path *parent)
{
    char canonical[QUANTITY_TEXT_BYTES];
    for (size_t i = 0; amounts && amounts->kind == MANIFEST_MAP && i < amounts->count; i++) {
        const struct manifest_member *member = &amounts->members[i];
        const struct path path = path_member(parent, member->key);
        struct slice written = manifest_text(member->value);
        size_t length = quantity_canonical(written, canonical);
        if (length && !slice_equal(written, (struct slice){canonical, length}))
            report(of, &path, written, (struct slice){canonical, length});
    }
}

static void check_resources(
    const struct search *of, const struct manifest_node *resources, const struct path *parent)
{
    static const struct slice names[] = {SLICE_LITERAL("limits"), SLICE_LITERAL("requests")};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct path path = path_member(parent, names[i]);
        check_amounts(of, manifest_member(resources, names[i]), &path);
    }
}

/*
 * Controllers keep free-form parts as they are, even if they store the rest in another form: the values of a
 * Helm chart (HelmRelease of Flux, Application of Argo CD), and whole objects.
 */
static bool is_free_form(const struct manifest_node *node, const struct path *path)
{
    bool is_values = path->kind == PATH_FIELD &&
        (slice_equal(path->text, SLICE("values")) || slice_equal(path->text, SLICE("valuesObject")));
    bool is_object = manifest_member(node, SLICE("apiVersion")) && manifest_member(node, SLICE("kind"));
    return is_values || is_object;
}

/* Without a schema a quantity is known by where Kubernetes has them: resources.limits and resources.requests.
 */
static void search(const struct search *of, const struct manifest_node *node, const struct path *parent)
{
    struct text number = text_start(of->review->arena, 0);
    for (size_t i = 0; node->height && i < node->count; i++) {
        bool is_map = node->kind == MANIFEST_MAP;
        struct path path = path_below(parent);
        if (is_map) {
            path.kind = PATH_FIELD;
            path.text = node->members[i].key;
        } else {
            number.length = 0;
            text_append_number(&number, i);
            path.kind = PATH_INDEX;
            path.text = text_slice(&number);
        }
        const struct manifest_node *value = is_map ? node->members[i].value : node->items[i];
        if (is_free_form(value, &path))
            continue;
        if (is_map && slice_equal(path.text, SLICE("resources")))
            check_resources(of, value, &path);
        search(of, value, &path);
    }
}

/* The API server itself normalizes the quantities of its own types before it stores them. */
static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    const struct search of = {review, verdict};
    if (!is_builtin_group(review->group))
        search(&of, document->object->root, NULL);
}

const struct rule_definition rule_non_canonical_quantity = {.judge_document = judge};
