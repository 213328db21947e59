#include "base/array_size.h"
#include "base/glob.h"
#include "policy/config/config.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

struct generic_manager_settings {
    struct slice_list names;
};

/* Default names of binaries and of client libraries. */
static const struct slice generic_names[] = {
    SLICE_LITERAL("unknown"),
    SLICE_LITERAL("main"),
    SLICE_LITERAL("manager"),
#define LIBRARY(name) SLICE_LITERAL(name),
#include "policy/client_libraries.def"
#undef LIBRARY
};

static const struct generic_manager_settings defaults = {{generic_names, ARRAY_SIZE(generic_names)}};

static const struct setting settings[] = {
    {"names", SETTING_NAMES, offsetof(struct generic_manager_settings, names),
     "names of field managers that name nobody"},
};

/* How a client sets its name. */
static const struct {
    const char *client, *advice;
} ways[] = {
    {"curl", "add ?fieldManager=NAME to the URL"},
    {"Wget", "add ?fieldManager=NAME to the URL"},
    {"PostmanRuntime", "add ?fieldManager=NAME to the URL"},
    {"python-requests", "add ?fieldManager=NAME to the URL"},
    {"python-httpx", "add ?fieldManager=NAME to the URL"},
    {"python-urllib3", "add ?fieldManager=NAME to the URL"},
    {"Python-urllib", "add ?fieldManager=NAME to the URL"},
    {"axios", "add ?fieldManager=NAME to the URL"},
    /* kubernetes-client/python, which Ansible uses, too */
    {"OpenAPI-Generator", "set field_manager in the call (Python), or fieldManager"},
    {"Swagger-Codegen", "set field_manager in the call (Python), or fieldManager"},
    {"fabric8-kubernetes-client", "set fieldManager in the client's configuration or call"},
    {"Kubernetes Java Client", "set fieldManager in the call"},
    /* a dashboard in a browser: the person at it can set nothing */
    {"Mozilla", "a page in a browser cannot set one: use kubectl, or ask who runs the page"},
};

static void append_advice(struct text *text, struct slice client)
{
    const char *advice = "set fieldManager to the name of your tool";
    for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
        if (slice_equal(client, slice_of(ways[i].client)))
            advice = ways[i].advice;
    }
    text_append_all(text, "; ", advice);
}

static struct slice describe(const struct review *review)
{
    struct text text = text_start(review->arena, 200);
    if (review->field_manager.length) {
        text_append_all(
            &text, "the field manager name \"", message_marked(review->field_manager),
            "\" does not say who writes");
    } else {
        text_append_all(
            &text, "the client does not say who it is, so Kubernetes records \"",
            message_marked(review->ownership.writer.manager.name), "\" as the owner");
    }
    append_advice(&text, review->ownership.writer.manager.name);
    return text_slice(&text);
}

/* A request that changes nothing leaves its manager's entry alone, or makes none. */
static void judge(const struct review *review, struct verdict *verdict)
{
    const struct generic_manager_settings *set = verdict->policy->settings[RULE_generic_manager];
    const struct writer *writer = &review->ownership.writer;
    if (!writer->after || !glob_match_any(set->names.items, set->names.count, writer->manager.name) ||
        !entry_changed(writer->after))
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_generic_manager,
            .action = ACTION_DENY,
            .message = describe(review),
            .has_writer = true,
            .writer = writer->manager,
        });
}

const struct rule_definition rule_generic_manager = {
    .judge = judge,
    RULE_SETTINGS(settings, defaults),
};
