#include "policy/verdict/tool_annotation_table.h"

#include "base/array_size.h"
#include "base/glob.h"
#include "policy/verdict/expression.h"
#include "policy/verdict/json_path.h"

#define KLUCTL(option, numbered_, value_, meaning_)                                                          \
    {                                                                                                        \
        .tool = WAIVER_TOOL_KLUCTL, .name = SLICE_LITERAL("kluctl.io/" option), .numbered = (numbered_),     \
        .value = (value_), .meaning = (meaning_), .operation = MANAGER_APPLY                                 \
    }
#define FLUX(option, word_, meaning_, by_anybody_)                                                           \
    {                                                                                                        \
        .tool = WAIVER_TOOL_FLUX, .name = SLICE_LITERAL("kustomize.toolkit.fluxcd.io/" option),              \
        .value = VALUE_WORD, .word = SLICE_LITERAL(word_), .meaning = (meaning_),                            \
        .operation = MANAGER_APPLY, .by_anybody = (by_anybody_)                                              \
    }
#define ARGOCD(word_, operation_)                                                                            \
    {                                                                                                        \
        .tool = WAIVER_TOOL_ARGOCD, .name = SLICE_LITERAL("argocd.argoproj.io/sync-options"),                \
        .value = VALUE_OPTION, .word = SLICE_LITERAL(word_), .meaning = LETS_TOOL_TAKE,                      \
        .operation = (operation_)                                                                            \
    }

/*
 * Kluctl: pkg/diff/managed_fields.go (ResolveConflicts). Flux: docs/spec/v1/kustomizations.md and fluxcd/pkg,
 * ssa/manager_apply.go (shouldSkipApply reads Ignore and disabled from the stored object too). Argo CD:
 * gitops-engine, pkg/sync/sync_context.go; every server-side apply of it is forced, a replace takes all.
 */
const struct tool_annotation tool_annotations[] = {
    KLUCTL("force-apply", false, VALUE_TRUE, LETS_TOOL_TAKE),
    KLUCTL("force-apply-manager", true, VALUE_EXPRESSION, LETS_TOOL_TAKE),
    KLUCTL("force-apply-field", true, VALUE_FIELD, LETS_TOOL_TAKE),
    KLUCTL("ignore-conflicts", false, VALUE_TRUE, LETS_OTHERS_TAKE),
    KLUCTL("ignore-conflicts-manager", true, VALUE_EXPRESSION, LETS_OTHERS_TAKE),
    KLUCTL("ignore-conflicts-field", true, VALUE_FIELD, LETS_OTHERS_TAKE),
    FLUX("ssa", "Override", LETS_TOOL_TAKE, false),
    FLUX("ssa", "Merge", LETS_TOOL_TAKE, false),
    FLUX("ssa", "Merge", LETS_OTHERS_ADD, false),
    FLUX("ssa", "IfNotPresent", LETS_OTHERS_TAKE, false),
    FLUX("ssa", "Ignore", LETS_OTHERS_TAKE, true),
    FLUX("reconcile", "disabled", LETS_OTHERS_TAKE, true),
    ARGOCD("ServerSideApply=true", MANAGER_APPLY),
    ARGOCD("Replace=true", MANAGER_UPDATE),
};

const size_t tool_annotation_count = ARRAY_SIZE(tool_annotations);

/* As people know them, and the names that their field managers have. */
static const struct {
    const char *name;
    struct slice managers;
    bool declares_by_update; /* it may replace whole objects */
} tools[WAIVER_TOOL_COUNT] = {
    [WAIVER_TOOL_KLUCTL] = {"Kluctl", SLICE_LITERAL("kluctl"), false},
    [WAIVER_TOOL_FLUX] = {"Flux", SLICE_LITERAL("kustomize-controller"), false},
    [WAIVER_TOOL_ARGOCD] = {"Argo CD", SLICE_LITERAL("argocd-*controller"), true},
};

const char *annotating_tool_name(enum waiver_tool tool)
{
    return tools[tool].name;
}

bool annotating_tool_is(enum waiver_tool tool, const struct manager *manager)
{
    return glob_match(tools[tool].managers, manager->name) && !manager->subresource.length;
}

bool annotating_tool_declares(enum waiver_tool tool, const struct manager *manager)
{
    return annotating_tool_is(tool, manager) &&
        (manager->operation == MANAGER_APPLY || tools[tool].declares_by_update);
}

static bool has_key(const struct tool_annotation *annotation, struct slice key)
{
    if (!slice_starts_with(key, annotation->name))
        return false;
    struct slice rest = slice_from(key, annotation->name.length);
    if (!rest.length)
        return true;
    for (size_t i = 1; i < rest.length; i++) {
        if (rest.bytes[i] < '0' || rest.bytes[i] > '9')
            return false;
    }
    return annotation->numbered && rest.bytes[0] == '-';
}

static bool is_true(struct slice value)
{
    static const char *const words[] = {"1", "t", "T", "true", "TRUE", "True"};
    return slice_is_one_of(value, words, ARRAY_SIZE(words));
}

static char small_letter(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return "abcdefghijklmnopqrstuvwxyz"[letter - 'A'];
    return letter;
}

static bool is_word(struct slice value, struct slice word)
{
    for (size_t i = 0; i < value.length && value.length == word.length; i++) {
        if (small_letter(value.bytes[i]) != small_letter(word.bytes[i]))
            return false;
    }
    return value.length == word.length;
}

static bool has_option(struct slice value, struct slice option)
{
    while (value.length) {
        struct slice item = {value.bytes, slice_find(value, ',')};
        value = slice_from(value, item.length + (item.length < value.length));
        if (slice_equal(slice_trim(item), option))
            return true;
    }
    return false;
}

static bool has_value(const struct tool_annotation *annotation, struct slice value)
{
    switch (annotation->value) {
    case VALUE_TRUE:
        return is_true(value);
    case VALUE_WORD:
        return is_word(value, annotation->word);
    case VALUE_OPTION:
        return has_option(value, annotation->word);
    case VALUE_FIELD:
    case VALUE_EXPRESSION:
        return true;
    }
    return false;
}

bool tool_annotation_is(const struct tool_annotation *annotation, struct slice key, struct slice value)
{
    return has_key(annotation, key) && has_value(annotation, value);
}

bool tool_annotation_is_understood(
    const struct tool_annotation *annotation, struct slice value, struct arena *arena)
{
    struct json_path path;
    return annotation->value == VALUE_FIELD     ? json_path_parse(value, &path)
        : annotation->value == VALUE_EXPRESSION ? expression_is_understood(value, arena)
                                                : true;
}
