#include "policy/managers.h"

#include "policy/glob.h"

#define NAME(literal)                                                                                        \
    {                                                                                                        \
        "" literal, sizeof(literal) - 1                                                                      \
    }
#define ANY_SUBRESOURCE .any_subresource = true
#define APPLY .operation = MANAGER_APPLY, ANY_SUBRESOURCE
#define UPDATE .operation = MANAGER_UPDATE, ANY_SUBRESOURCE

/* The first line that matches wins. Names are those that the tools' sources set, or their User-Agents give.
 */
static const struct manager_line builtin_lines[] = {
    {.name = NAME("*"), .any_operation = true, .subresource = NAME("status"), .class = CLASS_CONTROLLER},
    {.name = NAME("kubectl-last-applied"),
     .any_operation = true,
     ANY_SUBRESOURCE,
     .class = CLASS_BOOKKEEPING},
    {.name = NAME("*"), APPLY, .class = CLASS_APPLIER},
    {.name = NAME("kubectl-client-side-apply"), UPDATE, .class = CLASS_APPLIER},
    {.name = NAME("helm"), UPDATE, .class = CLASS_APPLIER},
    {.name = NAME("argocd-controller"), UPDATE, .class = CLASS_APPLIER},
    {.name = NAME("flux-client-side-apply"), UPDATE, .class = CLASS_APPLIER},
    {.name = NAME("pulumi-kubernetes*"), UPDATE, .class = CLASS_APPLIER},
    {.name = NAME("HashiCorp"), UPDATE, .class = CLASS_APPLIER},
    {.name = NAME("kubectl"), UPDATE, .class = CLASS_AD_HOC},
    {.name = NAME("kubectl-*"), UPDATE, .class = CLASS_AD_HOC},
    {.name = NAME("k9s"), UPDATE, .class = CLASS_AD_HOC},
    {.name = NAME("rancher"), UPDATE, .class = CLASS_AD_HOC},
    {.name = NAME("node-fetch"), UPDATE, .class = CLASS_AD_HOC}, /* Lens */
    {.name = NAME("Mozilla"), UPDATE, .class = CLASS_AD_HOC},
    {.name = NAME("curl"), UPDATE, .class = CLASS_AD_HOC},
    {.name = NAME("python-requests"), UPDATE, .class = CLASS_AD_HOC},
    {.name = NAME("OpenAPI-Generator"), UPDATE, .class = CLASS_AD_HOC},
    {.name = NAME("*"), UPDATE, .owns_last_applied = true, .class = CLASS_APPLIER},
    {.name = NAME("before-first-apply"), UPDATE, .class = CLASS_AD_HOC},
    {.name = NAME("ancient-changes"), UPDATE, .class = CLASS_AD_HOC},
    {.name = NAME("unknown"), UPDATE, .class = CLASS_AD_HOC},
};

static bool line_matches(
    const struct manager_line *line, const struct manager *manager, bool owns_last_applied)
{
    return (line->any_operation || line->operation == manager->operation) &&
        (line->any_subresource || slice_equal(line->subresource, manager->subresource)) &&
        (!line->owns_last_applied || owns_last_applied) && glob_match(line->name, manager->name);
}

enum manager_class manager_classify(
    const struct manager *manager, bool owns_last_applied, const struct manager_line *lines,
    size_t line_count)
{
    for (size_t i = 0; i < line_count; i++) {
        if (line_matches(&lines[i], manager, owns_last_applied))
            return lines[i].class;
    }
    for (size_t i = 0; i < sizeof(builtin_lines) / sizeof(builtin_lines[0]); i++) {
        if (line_matches(&builtin_lines[i], manager, owns_last_applied))
            return builtin_lines[i].class;
    }
    return CLASS_CONTROLLER;
}

static const char *const class_names[] = {
    [CLASS_APPLIER] = "applier",
    [CLASS_CONTROLLER] = "controller",
    [CLASS_AD_HOC] = "adhoc",
    [CLASS_BOOKKEEPING] = "bookkeeping",
};

static const char *const operation_names[] = {[MANAGER_APPLY] = "Apply", [MANAGER_UPDATE] = "Update"};

const char *manager_operation_name(enum manager_operation operation)
{
    return operation_names[operation];
}

const char *manager_class_name(enum manager_class class)
{
    return class_names[class];
}

bool manager_class_parse(struct slice text, enum manager_class *class)
{
    for (int i = CLASS_APPLIER; i <= CLASS_BOOKKEEPING; i++) {
        if (slice_equal(text, slice_of(class_names[i]))) {
            *class = (enum manager_class)i;
            return true;
        }
    }
    return false;
}

bool manager_operation_parse(struct slice text, enum manager_operation *operation)
{
    for (int i = MANAGER_APPLY; i <= MANAGER_UPDATE; i++) {
        if (slice_equal(text, slice_of(operation_names[i]))) {
            *operation = (enum manager_operation)i;
            return true;
        }
    }
    return false;
}
