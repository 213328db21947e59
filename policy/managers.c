#include "policy/managers.h"

#include "base/count.h"
#include "base/glob.h"
#include "base/words.h"

#define NAMED(literal) .name = SLICE_LITERAL(literal)

#define LONG_NAME_BYTES 12

enum operations { APPLY = 1 << MANAGER_APPLY, UPDATE = 1 << MANAGER_UPDATE, ANY = APPLY | UPDATE };

/* The class of a name as owner, as a person's writer and as a service's: mostly one for all. */
#define CLASSES(owner, person, service)                                                                      \
    {                                                                                                        \
        [ROLE_OWNER] = owner, [ROLE_PERSON] = person, [ROLE_SERVICE] = service                               \
    }
#define APPLIER CLASSES(CLASS_APPLIER, CLASS_APPLIER, CLASS_APPLIER)
#define CONTROLLER CLASSES(CLASS_CONTROLLER, CLASS_CONTROLLER, CLASS_CONTROLLER)
#define AD_HOC CLASSES(CLASS_AD_HOC, CLASS_AD_HOC, CLASS_AD_HOC)
#define BOOKKEEPING CLASSES(CLASS_BOOKKEEPING, CLASS_BOOKKEEPING, CLASS_BOOKKEEPING)
/* A service that uses a client library under its name is a controller; anybody else is a person or a script.
 */
#define OF_ITS_USER CLASSES(CLASS_AD_HOC, CLASS_AD_HOC, CLASS_CONTROLLER)
/* It declares what it owns, and takes fields from others as an operator does. */
#define OPERATOR CLASSES(CLASS_APPLIER, CLASS_CONTROLLER, CLASS_CONTROLLER)

/* One name of one tool. */
struct row {
    struct slice name; /* a glob */
    unsigned operations;
    enum manager_class classes[ROLE_SERVICE + 1];
    enum tool tool;
    struct slice subresource; /* empty: any */
    struct slice but_group;   /* a glob: kinds of these groups are the tool's own, which it controls */
    bool keeps_configuration; /* these two match only with this evidence */
    bool owns_last_applied_alone;
};

/*
 * The first row that matches wins. A name is what the tool sets as its field manager, or else the first word
 * of its User-Agent; a program that uses Helm as a library goes by its own name. The source of each stands
 * above it.
 */
static const struct row rows[] = {
    {NAMED("*"), ANY, CONTROLLER, .subresource = SLICE_LITERAL("status")},
    /* kubectl, cmd/apply/apply.go */
    {NAMED("kubectl-last-applied"), APPLY, BOOKKEEPING, .owns_last_applied_alone = true},
    /* kubernetes, pkg/controller/clusterroleaggregation */
    {NAMED("clusterrole-aggregation-controller"), APPLY, CONTROLLER},
    /* timoni, internal/runtime/resources.go */
    {NAMED("timoni"), APPLY, APPLIER, TOOL_TIMONI},
    /* terraform-provider-kubernetes, kubernetes_manifest: field_manager.name */
    {NAMED("Terraform"), APPLY, APPLIER, TOOL_TERRAFORM},
    {NAMED("*"), APPLY, APPLIER},

    /* kubectl, cmd/apply/apply.go */
    {NAMED("kubectl-client-side-apply"), UPDATE, APPLIER, TOOL_KUBECTL_CLIENT_SIDE},
    /* helm, pkg/kube/client.go */
    {NAMED("helm"), UPDATE, APPLIER, TOOL_HELM},
    /* terraform-provider-helm: Helm as a library */
    {NAMED("terraform-provider-helm*"), UPDATE, APPLIER, TOOL_TERRAFORM},
    /* terraform-provider-kubernetes: User-Agent */
    {NAMED("HashiCorp"), UPDATE, APPLIER, TOOL_TERRAFORM},
    /* argo-cd, common/common.go */
    {NAMED("argocd-controller"), UPDATE, APPLIER, TOOL_ARGOCD},
    /* argo-cd, its controller: User-Agent */
    {NAMED("argocd-application-controller"), UPDATE, APPLIER, TOOL_ARGOCD,
     .but_group = SLICE_LITERAL("argoproj.io")},
    /* kustomize-controller, main.go */
    {NAMED("kustomize-controller"), UPDATE, APPLIER, TOOL_FLUX,
     .but_group = SLICE_LITERAL("*.toolkit.fluxcd.io")},
    /* helm-controller, main.go: Helm as a library */
    {NAMED("helm-controller"), UPDATE, APPLIER, TOOL_HELM_CONTROLLER,
     .but_group = SLICE_LITERAL("*.toolkit.fluxcd.io")},
    /* kustomize-controller, the documents of its field managers */
    {NAMED("flux-client-side-apply"), UPDATE, APPLIER},
    /* pulumi-kubernetes: pull request 2271, and its User-Agent */
    {NAMED("pulumi-kubernetes*"), UPDATE, APPLIER},
    {NAMED("pulumi-resource-kubernetes"), UPDATE, APPLIER},
    /* fleet, its agent: Helm as a library */
    {NAMED("fleetagent"), UPDATE, APPLIER},
    /* kpt-config-sync, pkg/api/configsync */
    {NAMED("configsync.gke.io"), UPDATE, APPLIER},
    /* kubevela, pkg/utils/apply: User-Agent */
    {NAMED("kubevela"), UPDATE, APPLIER},
    /* kapp: User-Agent */
    {NAMED("kapp"), UPDATE, APPLIER},
    /* open-cluster-management, pkg/work */
    {NAMED("work-agent"), UPDATE, APPLIER},
    /* karmada: User-Agents */
    {NAMED("karmada-agent"), UPDATE, APPLIER},
    {NAMED("karmada-controller-manager"), UPDATE, APPLIER},
    /* zarf, werf, helmwave: Helm as a library */
    {NAMED("zarf"), UPDATE, APPLIER},
    {NAMED("werf*"), UPDATE, APPLIER},
    {NAMED("helmwave"), UPDATE, APPLIER},
    /* cluster-version-operator: User-Agent */
    {NAMED("cluster-version-operator"), UPDATE, OPERATOR},

    /* kubectl, cmd: edit, patch, set, label, ...; scale, rollout undo, apply set-last-applied and kubectl.exe
     * by their User-Agents. What they write into the annotation is not what somebody applies. */
    {NAMED("kubectl"), UPDATE, AD_HOC, TOOL_KUBECTL},
    {NAMED("kubectl*"), UPDATE, AD_HOC},
    /* velero-server restores what a backup has, with its annotations, and then leaves it alone */
    {NAMED("velero*"), UPDATE, OF_ITS_USER},
    /* Whoever else keeps a configuration applies it: Ansible, kapp and Helm under other names, ... */
    {NAMED("*"), UPDATE, APPLIER, .keeps_configuration = true},
    /* By their User-Agents. */
    {NAMED("oc"), UPDATE, AD_HOC},
    {NAMED("k9s"), UPDATE, AD_HOC},
    {NAMED("rancher"), UPDATE, AD_HOC},
    {NAMED("Headlamp*"), UPDATE, AD_HOC},
    {NAMED("Freelens*"), UPDATE, AD_HOC},
    {NAMED("Lens*"), UPDATE, AD_HOC},
    {NAMED("dashboard"), UPDATE, AD_HOC},
    {NAMED("GoogleCloudConsole"), UPDATE, AD_HOC},
    /* argo-cd: what people edit in its pages */
    {NAMED("argocd-server"), UPDATE, AD_HOC, .but_group = SLICE_LITERAL("argoproj.io")},
#define LIBRARY(literal) {NAMED(literal), UPDATE, OF_ITS_USER},
#include "policy/client_libraries.def"
#undef LIBRARY
    /* apimachinery, buildmanagerinfo.go: a client that sends no User-Agent, such as kube-rs */
    {NAMED("unknown"), UPDATE, OF_ITS_USER},
    /* apimachinery, util/managedfields: what nobody is known to have written */
    {NAMED("before-first-apply"), UPDATE, AD_HOC},
    {NAMED("ancient-changes"), UPDATE, AD_HOC},
    {NAMED("*"), UPDATE, CONTROLLER},
};

bool manager_equal(const struct manager *a, const struct manager *b)
{
    return a->operation == b->operation && slice_equal(a->name, b->name) &&
        slice_equal(a->subresource, b->subresource);
}

static bool rule_matches(const struct class_rule *rule, const struct manager *manager)
{
    return (rule->any_operation || rule->operation == manager->operation) &&
        (rule->any_subresource || slice_equal(rule->subresource, manager->subresource)) &&
        glob_match(rule->name, manager->name);
}

static bool row_matches(
    const struct row *row, const struct manager *manager, const struct manager_facts *facts)
{
    return row->operations & 1u << manager->operation && glob_match(row->name, manager->name) &&
        (!row->subresource.length || slice_equal(row->subresource, manager->subresource)) &&
        (!row->but_group.length || !glob_match(row->but_group, facts->group)) &&
        (!row->keeps_configuration ||
         (facts->keeps_configuration && facts->keeps_configuration(facts->context))) &&
        (!row->owns_last_applied_alone || !facts->owns_last_applied_alone ||
         facts->owns_last_applied_alone(facts->context));
}

/* The first that matches; NULL: none does. */
static const struct class_rule *find_rule(
    const struct manager *manager, const struct class_rules *class_rules)
{
    for (size_t i = 0; i < (class_rules ? class_rules->count : 0); i++) {
        if (rule_matches(&class_rules->items[i], manager))
            return &class_rules->items[i];
    }
    return NULL;
}

bool manager_has_rule(const struct manager *manager, const struct class_rules *class_rules)
{
    return find_rule(manager, class_rules) != NULL;
}

enum manager_class manager_classify(
    const struct manager *manager, const struct manager_facts *facts, const struct class_rules *class_rules)
{
    const struct class_rule *rule = find_rule(manager, class_rules);
    if (rule)
        return rule->class;
    const struct row *row = rows;
    while (!row_matches(row, manager, facts))
        row++; /* the last row matches every Update, and an earlier one every Apply */
    return row->classes[facts->role];
}

enum tool manager_tool(struct slice name)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (rows[i].tool != TOOL_OTHER && glob_match(rows[i].name, name))
            return rows[i].tool;
    }
    return TOOL_OTHER;
}

bool manager_is_known(struct slice name)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        if (slice_equal(rows[i].name, name))
            return true;
    return false;
}

struct slice manager_nearly(struct slice text)
{
    if (manager_is_known(text))
        return (struct slice){NULL, 0};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct slice name = rows[i].name;
        bool is_pattern = slice_contains(name, '*');
        bool is_as_long = text.length + 1 >= name.length && text.length <= name.length + 1;
        if (!is_pattern && is_as_long && name.length >= LONG_NAME_BYTES && word_distance(text, name) == 1)
            return name;
    }
    return (struct slice){NULL, 0};
}

bool manager_is_same_tool(struct slice a, struct slice b)
{
    enum tool tool = manager_tool(a);
    return slice_equal(a, b) || (tool != TOOL_OTHER && tool == manager_tool(b));
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
