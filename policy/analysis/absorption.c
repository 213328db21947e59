#include "policy/analysis/absorption.h"

#include "base/array_size.h"
#include "base/glob.h"
#include "base/json.h"
#include "policy/fieldset/fields.h"

/*
 * A label or annotation by which an object asks the tool to ignore it, or the fields that others add to it.
 */
struct option {
    enum tool tool;
    struct slice key;
    struct slice value;    /* in lower case: the tools compare without regard to it */
    bool must_be_declared; /* it counts only in the manifest */
    bool of_all;           /* the tool leaves alone what it declares, too */
};

#define OPTION(tool, key, value, must_be_declared, of_all)                                                   \
    {                                                                                                        \
        tool, SLICE_LITERAL(key), SLICE_LITERAL(value), must_be_declared, of_all                             \
    }

/* kustomize-controller, internal/controller/kustomization_controller.go; timoni, internal/apply. */
static const struct option options[] = {
    OPTION(TOOL_FLUX, "kustomize.toolkit.fluxcd.io/reconcile", "disabled", false, true),
    OPTION(TOOL_FLUX, "kustomize.toolkit.fluxcd.io/ssa", "ignore", false, true),
    OPTION(TOOL_FLUX, "kustomize.toolkit.fluxcd.io/ssa", "merge", false, false),
    OPTION(TOOL_FLUX, "kustomize.toolkit.fluxcd.io/ssa", "ifnotpresent", true, true),
    OPTION(TOOL_TIMONI, "action.timoni.sh/one-off", "enabled", true, true),
};

static bool declares(const struct managed_fields_entry *entry, struct slice map, struct slice key)
{
    return fields_child(fields_child(fields_child(entry_fields(entry), SLICE("metadata")), map), key);
}

/* `of_all`: with what the entry declares. */
static bool is_left_alone(const struct review *review, const struct managed_fields_entry *entry, bool of_all)
{
    static const struct slice maps[] = {{"labels", 6}, {"annotations", 11}};
    enum tool tool = manager_tool(entry->manager.name);
    for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
        const struct option *option = &options[i];
        for (size_t j = 0; j < 2 && option->tool == tool && option->of_all >= of_all; j++) {
            yyjson_val *value = json_member(json_metadata(review->object, maps[j]), option->key);
            if (slice_equal_in_any_case(json_text(value), option->value) &&
                (!option->must_be_declared || declares(entry, maps[j], option->key)))
                return true;
        }
    }
    return false;
}

bool absorber_ignores(const struct review *review, const struct managed_fields_entry *entry)
{
    return entry->manager.operation == MANAGER_APPLY && is_left_alone(review, entry, true);
}

bool absorber_is_option(enum tool tool, struct slice key, struct slice value)
{
    for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
        const struct option *option = &options[i];
        if (option->tool == tool && slice_equal(option->key, key) &&
            slice_equal_in_any_case(value, option->value))
            return true;
    }
    return false;
}

enum absorber absorber_named(struct slice manager)
{
    if (slice_equal(manager, SLICE("kustomize-controller")))
        return ABSORBER_FLUX;
    if (slice_equal(manager, SLICE("flux-operator")))
        return ABSORBER_FLUX_OPERATOR;
    return slice_equal(manager, SLICE("timoni")) ? ABSORBER_TIMONI : ABSORBER_NONE;
}

const struct managed_fields_entry *absorber_of(const struct review *review, const struct managed_fields *side)
{
    for (size_t i = 0; i < side->count; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        if (absorber_named(entry->manager.name) && entry->manager.operation == MANAGER_APPLY &&
            !entry->manager.subresource.length)
            return is_left_alone(review, entry, false) ? NULL : entry;
    }
    return NULL;
}

bool absorber_is_request(const struct path *path)
{
    /*
     * fluxcd/pkg, apis/meta; argo-cd, pkg/apis/application/v1alpha1; External Secrets, its FAQ: the
     * controller acts at once upon a new value
     */
    static const char *const requests[] = {
        "reconcile.fluxcd.io/*", "argocd.argoproj.io/refresh", "argocd.argoproj.io/hydrate", "force-sync",
        "external-secrets.io/force-sync"};
    for (size_t i = 0; i < ARRAY_SIZE(requests); i++) {
        if (glob_match(slice_of(requests[i]), path->text))
            return path_is_in_metadata(path, SLICE("annotations"));
    }
    return false;
}

bool absorber_takes(const struct managed_fields_entry *absorber, const struct manager *manager)
{
    if (manager->subresource.length)
        return false;
    bool is_flux = absorber_named(absorber->manager.name) == ABSORBER_FLUX;
    return slice_starts_with(manager->name, SLICE("kubectl")) ||
        slice_equal(manager->name, SLICE("before-first-apply")) ||
        (!is_flux && slice_equal(manager->name, SLICE("helm")));
}
