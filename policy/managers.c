#include "policy/managers.h"

#include "base/array_size.h"
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
/* People, scripts and controllers share the name: only the user of a request shows which one writes. */
#define OF_ITS_USER CLASSES(CLASS_UNKNOWN, CLASS_AD_HOC, CLASS_CONTROLLER)
/* The fields that it owns are a controller's, although its name does not show whether a person writes now. */
#define CONTROLLER_BY_EVIDENCE CLASSES(CLASS_CONTROLLER, CLASS_AD_HOC, CLASS_CONTROLLER)
/* It declares what it owns, and takes fields from others as a controller does. */
#define TAKES_AS_CONTROLLER CLASSES(CLASS_APPLIER, CLASS_CONTROLLER, CLASS_CONTROLLER)
/* The same where a service account uses the name. */
#define APPLIES_OR_CONTROLS CLASSES(CLASS_APPLIER, CLASS_APPLIER, CLASS_CONTROLLER)
/* An operator applies on its own where a service account uses the name. */
#define APPLIER_OR_OPERATOR CLASSES(CLASS_APPLIER, CLASS_APPLIER, CLASS_OPERATOR)

/* The controller manager writes an autoscaler's replicas. */
#define AUTOSCALER "an autoscaler"

/* One name of one tool. */
struct row {
    struct slice name; /* a glob */
    unsigned operations;
    enum manager_class classes[ROLE_SERVICE + 1];
    enum tool tool;
    struct slice subresource; /* empty: any */
    struct slice but_group;   /* a glob: kinds of these groups are the tool's own, which it controls */
    struct slice product;     /* of a controller: the word by which its product's objects are labelled */
    const char *words;        /* the name that people know, if the tool has none or another one */
    bool keeps_configuration; /* these three match only with this evidence */
    bool owns_last_applied_alone;
    bool made_controlled;
};

/*
 * The first row that matches wins. A name is what the tool sets as its field manager, or else the first word
 * of its User-Agent; a program that uses Helm as a library goes by its own name. The comment above a row
 * names its source.
 */
static const struct row rows[] = {
    {NAMED("*"), ANY, CONTROLLER, .subresource = SLICE_LITERAL("status")},
    /* kubectl, cmd/apply/apply.go */
    {NAMED("kubectl-last-applied"), APPLY, BOOKKEEPING, .owns_last_applied_alone = true},
    /* kubernetes, pkg/controller/clusterroleaggregation */
    {NAMED("clusterrole-aggregation-controller"), APPLY, CONTROLLER},
    /* kubectl, cmd/apply/apply.go and applyset.go */
    {NAMED("kubectl"), APPLY, APPLIER, TOOL_KUBECTL, .words = "kubectl apply --server-side"},
    {NAMED("kubectl*"), APPLY, APPLIER},
    /* timoni, internal/runtime/resources.go */
    {NAMED("timoni"), APPLY, APPLIER, TOOL_TIMONI},
    /* terraform-provider-kubernetes, kubernetes_manifest: field_manager.name */
    {NAMED("Terraform"), APPLY, APPLIER, TOOL_TERRAFORM},
    /* flux-operator, internal/controller/common.go */
    {NAMED("flux-operator"), APPLY, APPLIER, TOOL_FLUX_OPERATOR},

    /* kubectl, cmd/apply/apply.go */
    {NAMED("kubectl-client-side-apply"), UPDATE, APPLIER, TOOL_KUBECTL_CLIENT_SIDE, .words = "kubectl apply"},
    /* helm, pkg/kube/client.go, getManagedFieldsManager: the base name of the program */
    {NAMED("helm"), ANY, APPLIER, TOOL_HELM},
    {NAMED("helm.exe"), ANY, APPLIER, TOOL_HELM},
    {NAMED("helm3*"), ANY, APPLIER, TOOL_HELM},
    {NAMED("helm4*"), ANY, APPLIER, TOOL_HELM},
    {NAMED("helm-3*"), ANY, APPLIER, TOOL_HELM},
    {NAMED("helm-4*"), ANY, APPLIER, TOOL_HELM},
    {NAMED("helm-v*"), ANY, APPLIER, TOOL_HELM},
    {NAMED("helm-linux*"), ANY, APPLIER, TOOL_HELM},
    {NAMED("helm-darwin*"), ANY, APPLIER, TOOL_HELM},
    /* klipper-helm, Dockerfile, and Rancher's image */
    {NAMED("helm_v*"), ANY, APPLIER, TOOL_HELM},
    /* terraform-provider-helm: Helm as a library */
    {NAMED("terraform-provider-helm*"), ANY, APPLIER, TOOL_TERRAFORM},
    /* terraform-provider-kubernetes: User-Agent */
    {NAMED("HashiCorp"), UPDATE, APPLIER, TOOL_TERRAFORM},
    /* argo-cd, common/common.go */
    {NAMED("argocd-controller"), ANY, APPLIER, TOOL_ARGOCD},
    /* argo-cd, its controller: User-Agent */
    {NAMED("argocd-application-controller"), UPDATE, APPLIER, TOOL_ARGOCD,
     .but_group = SLICE_LITERAL("argoproj.io")},
    /* kustomize-controller, main.go */
    {NAMED("kustomize-controller"), APPLY, APPLIER, TOOL_FLUX},
    {NAMED("kustomize-controller"), UPDATE, APPLIER, TOOL_FLUX,
     .but_group = SLICE_LITERAL("*.toolkit.fluxcd.io")},
    /* helm-controller, main.go: Helm as a library */
    {NAMED("helm-controller"), APPLY, APPLIER, TOOL_HELM_CONTROLLER},
    {NAMED("helm-controller"), UPDATE, APPLIER, TOOL_HELM_CONTROLLER,
     .but_group = SLICE_LITERAL("*.toolkit.fluxcd.io")},
    /* pulumi-kubernetes: pull request 2271, and its User-Agent */
    {NAMED("pulumi-kubernetes*"), ANY, APPLIER, TOOL_PULUMI},
    {NAMED("pulumi-resource-kubernetes"), UPDATE, APPLIER, TOOL_PULUMI},
    /* fleet, its agent: Helm as a library */
    {NAMED("fleet*"), APPLY, APPLIER, .words = "Fleet"},
    {NAMED("fleetagent"), UPDATE, APPLIER, .words = "Fleet"},
    /* kpt-config-sync, pkg/api/configsync */
    {NAMED("configsync.gke.io"), ANY, APPLIER, TOOL_CONFIG_SYNC},
    /* kluctl, pkg/deployment: server-side, and a PUT with --replace-on-error */
    {NAMED("kluctl"), ANY, APPLIER, TOOL_KLUCTL, .but_group = SLICE_LITERAL("*.kluctl.io")},
    {NAMED("kluctl-*"), ANY, APPLIER, TOOL_KLUCTL, .but_group = SLICE_LITERAL("*.kluctl.io")},
    /* kubevela, pkg/utils/apply: User-Agent */
    {NAMED("kubevela"), UPDATE, APPLIER, .words = "KubeVela"},
    /* kapp: User-Agent, the base name of the program, also as it is downloaded */
    {NAMED("kapp"), ANY, APPLIER, TOOL_KAPP},
    {NAMED("kapp.exe"), ANY, APPLIER, TOOL_KAPP},
    {NAMED("kapp-linux-*"), ANY, APPLIER, TOOL_KAPP},
    {NAMED("kapp-darwin-*"), ANY, APPLIER, TOOL_KAPP},
    {NAMED("kapp-windows-*"), ANY, APPLIER, TOOL_KAPP},
    /* open-cluster-management, pkg/work */
    {NAMED("work-agent"), UPDATE, APPLIER, .words = "Open Cluster Management"},
    /* karmada: User-Agents */
    {NAMED("karmada-agent"), UPDATE, APPLIER, .words = "Karmada"},
    {NAMED("karmada-controller-manager"), UPDATE, APPLIER, .words = "Karmada"},
    /* zarf, werf, helmwave: Helm as a library */
    {NAMED("zarf"), ANY, APPLIER},
    {NAMED("werf*"), ANY, APPLIER, TOOL_WERF},
    {NAMED("helmwave"), ANY, APPLIER},
    /* k3s and rke2, pkg/deploy, and pull request 3433: each server applies, under its node's name */
    {NAMED("deploy@*"), UPDATE, TAKES_AS_CONTROLLER, TOOL_K3S},
    /* cluster-version-operator: User-Agent */
    {NAMED("cluster-version-operator"), UPDATE, TAKES_AS_CONTROLLER},
    /* A name without a row: a pipeline of a team, or an operator such as External Secrets. */
    {NAMED("*"), APPLY, APPLIER_OR_OPERATOR},

    /*
     * kubectl, cmd: edit, patch, set, label, ...; scale, rollout undo, apply set-last-applied and kubectl.exe
     * by their User-Agents. The text that they write into the annotation is not an applied manifest.
     */
    {NAMED("kubectl"), UPDATE, AD_HOC, TOOL_KUBECTL, .subresource = SLICE_LITERAL("scale"),
     .words = "kubectl scale"},
    {NAMED("kubectl"), UPDATE, AD_HOC, TOOL_KUBECTL},
    {NAMED("kubectl-annotate"), UPDATE, AD_HOC, .words = "kubectl annotate"},
    {NAMED("kubectl-autoscale"), UPDATE, AD_HOC, .words = "kubectl autoscale"},
    {NAMED("kubectl-create"), UPDATE, AD_HOC, .words = "kubectl create"},
    {NAMED("kubectl-edit"), UPDATE, AD_HOC, .words = "kubectl edit"},
    {NAMED("kubectl-expose"), UPDATE, AD_HOC, .words = "kubectl expose"},
    {NAMED("kubectl-label"), UPDATE, AD_HOC, .words = "kubectl label"},
    {NAMED("kubectl-patch"), UPDATE, AD_HOC, .words = "kubectl patch"},
    {NAMED("kubectl-replace"), UPDATE, AD_HOC, .words = "kubectl replace"},
    {NAMED("kubectl-rollout"), UPDATE, AD_HOC, .words = "kubectl rollout"},
    {NAMED("kubectl-run"), UPDATE, AD_HOC, .words = "kubectl run"},
    {NAMED("kubectl-set"), UPDATE, AD_HOC, .words = "kubectl set"},
    {NAMED("kubectl-taint"), UPDATE, AD_HOC, .words = "kubectl taint"},
    {NAMED("kubectl*"), UPDATE, AD_HOC},
    /* kustomize-controller, the documents of its field managers: the name by which people get past Flux */
    {NAMED("flux-client-side-apply"), UPDATE, AD_HOC},
    /* velero-server restores what a backup has, with its annotations, and then leaves it alone */
    {NAMED("velero*"), UPDATE, OF_ITS_USER},
    /* Any other manager that keeps a configuration applies it: Ansible, kapp and Helm under other names, ...
     */
    {NAMED("*"), UPDATE, APPLIER, .keeps_configuration = true},
    /* By their User-Agents. */
    {NAMED("oc"), UPDATE, AD_HOC},
    {NAMED("oc.exe"), UPDATE, AD_HOC, .words = "oc"},
    {NAMED("k9s"), UPDATE, AD_HOC},
    {NAMED("k9s.exe"), UPDATE, AD_HOC, .words = "k9s"},
    {NAMED("Headlamp*"), UPDATE, AD_HOC, .words = "Headlamp"},
    {NAMED("Freelens*"), UPDATE, AD_HOC, .words = "Freelens"},
    {NAMED("OpenLens*"), UPDATE, AD_HOC, .words = "OpenLens"},
    {NAMED("Lens*"), UPDATE, AD_HOC, .words = "Lens"},
    {NAMED("dashboard*"), UPDATE, AD_HOC, .words = "the Kubernetes Dashboard"},
    {NAMED("GoogleCloudConsole"), UPDATE, AD_HOC, .words = "Google Cloud's console"},
    /* argo-cd: what people edit in its pages */
    {NAMED("argocd-server"), UPDATE, AD_HOC, .but_group = SLICE_LITERAL("argoproj.io"),
     .words = "Argo CD's page"},
    /* flux2, its command line: suspend, resume, reconcile */
    {NAMED("flux"), UPDATE, AD_HOC, .words = "the flux command"},

    /* kubernetes: the components' User-Agents */
    {NAMED("kube-controller-manager"), UPDATE, CONTROLLER, .subresource = SLICE_LITERAL("scale"),
     .words = AUTOSCALER},
    {NAMED("kube-controller-manager"), UPDATE, CONTROLLER},
    {NAMED("kube-scheduler"), UPDATE, CONTROLLER},
    {NAMED("kubelet"), UPDATE, CONTROLLER},
    {NAMED("kube-apiserver"), UPDATE, CONTROLLER},
    {NAMED("cloud-controller-manager"), UPDATE, CONTROLLER},
    /* k3s, rke2 and MicroK8s run these components in one program */
    {NAMED("k3s"), UPDATE, CONTROLLER, .subresource = SLICE_LITERAL("scale"), .words = AUTOSCALER},
    {NAMED("k3s"), UPDATE, CONTROLLER},
    {NAMED("rke2"), UPDATE, CONTROLLER, .subresource = SLICE_LITERAL("scale"), .words = AUTOSCALER},
    {NAMED("rke2"), UPDATE, CONTROLLER},
    {NAMED("kubelite"), UPDATE, CONTROLLER, .subresource = SLICE_LITERAL("scale"), .words = AUTOSCALER},
    {NAMED("kubelite"), UPDATE, CONTROLLER},
    /* openshift-controller-manager: image triggers */
    {NAMED("openshift-controller-manager"), UPDATE, CONTROLLER},
    /* cert-manager, pkg/util: RestConfigWithUserAgent */
    {NAMED("cert-manager*"), UPDATE, CONTROLLER, .product = SLICE_LITERAL("cert-manager")},
    {NAMED("cainjector"), UPDATE, CONTROLLER, .product = SLICE_LITERAL("cert-manager")},
    /* istio, its control plane: User-Agent */
    {NAMED("pilot-discovery"), UPDATE, CONTROLLER, .product = SLICE_LITERAL("istio")},
    /* flagger: User-Agent */
    {NAMED("flagger"), UPDATE, CONTROLLER, .product = SLICE_LITERAL("flagger")},
    /* argo-rollouts, its controller: User-Agent, as in its issue 3281 */
    {NAMED("rollouts-controller"), UPDATE, CONTROLLER, .product = SLICE_LITERAL("argo-rollouts"),
     .words = "Argo Rollouts"},
    /* crossplane: User-Agent */
    {NAMED("crossplane*"), UPDATE, CONTROLLER, .product = SLICE_LITERAL("crossplane")},
    /* keda: User-Agent */
    {NAMED("keda*"), UPDATE, CONTROLLER, .product = SLICE_LITERAL("keda"), .words = "KEDA"},
    /* prometheus-operator: PrometheusOperatorFieldManager */
    {NAMED("PrometheusOperator"), UPDATE, CONTROLLER, .product = SLICE_LITERAL("prometheus")},
    /* amazon-vpc-resource-controller, and the Lambda function that keeps aws-auth */
    {NAMED("vpcLambda"), UPDATE, CONTROLLER},
    /* argo-cd: what people edit in its pages, and the syncs that they start there, of its own kinds */
    {NAMED("argocd-server"), UPDATE, OF_ITS_USER},
    /* A tool's own kinds, which it controls */
    {NAMED("argocd-*"), UPDATE, CONTROLLER},
    {NAMED("kustomize-controller"), UPDATE, CONTROLLER},
    {NAMED("helm-controller"), UPDATE, CONTROLLER},
    {NAMED("flux-operator"), UPDATE, CONTROLLER},
    {NAMED("kluctl*"), ANY, CONTROLLER},
    {NAMED("Helm"), UPDATE, CONTROLLER},
    /* Programs that use Helm as a library: helm-dashboard, helm-operator */
    {NAMED("helm-*"), UPDATE, APPLIES_OR_CONTROLS, TOOL_HELM},

    /* rancher/dashboard and Rancher's controllers */
    {NAMED("rancher"), UPDATE, OF_ITS_USER, .words = "Rancher"},
#define LIBRARY(literal) {NAMED(literal), UPDATE, OF_ITS_USER},
#include "policy/client_libraries.def"
#undef LIBRARY
    /* apimachinery, buildmanagerinfo.go: a client that sends no User-Agent, such as kube-rs */
    {NAMED("unknown"), UPDATE, OF_ITS_USER},
    {NAMED("*"), UPDATE, CONTROLLER_BY_EVIDENCE, .subresource = SLICE_LITERAL("scale")},
    {NAMED("*"), UPDATE, CONTROLLER_BY_EVIDENCE, .made_controlled = true},
    /* apimachinery, util/managedfields: fields whose writer is unknown */
    {NAMED("before-first-apply"), UPDATE, AD_HOC},
    {NAMED("ancient-changes"), UPDATE, AD_HOC},
    {NAMED("*"), UPDATE, OF_ITS_USER},
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
         facts->owns_last_applied_alone(facts->context)) &&
        (!row->made_controlled || (facts->made_controlled && facts->made_controlled(facts->context)));
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

/* A policy gives a name one class; two classes depend on the role, as they do in the built-in rows. */
static enum manager_class class_in_role(enum manager_class class, enum manager_role role)
{
    if (class == CLASS_OPERATOR && role == ROLE_OWNER)
        return CLASS_APPLIER;
    if (class == CLASS_UNKNOWN && role != ROLE_OWNER)
        return role == ROLE_SERVICE ? CLASS_CONTROLLER : CLASS_AD_HOC;
    return class;
}

enum manager_class manager_classify(
    const struct manager *manager, const struct manager_facts *facts, const struct class_rules *class_rules)
{
    const struct class_rule *rule = find_rule(manager, class_rules);
    if (rule)
        return class_in_role(rule->class, facts->role);
    const struct row *row = rows;
    while (!row_matches(row, manager, facts))
        row++; /* the last row matches every Update, and an earlier one every Apply */
    return row->classes[facts->role];
}

enum tool manager_tool(struct slice name)
{
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (rows[i].tool != TOOL_OTHER && glob_match(rows[i].name, name))
            return rows[i].tool;
    }
    return TOOL_OTHER;
}

/* The first row that has the name and the operation. NULL: only rows for every name have it. */
static const struct row *find_named(const struct manager *manager)
{
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        if (!slice_equal(rows[i].name, SLICE("*")) && rows[i].operations & 1u << manager->operation &&
            glob_match(rows[i].name, manager->name))
            return &rows[i];
    }
    return NULL;
}

/* The tools by the names that people know. Those of kubectl depend on the operation. */
static const char *const tool_words[TOOL_COUNT] = {
    [TOOL_HELM] = "Helm",
    [TOOL_HELM_CONTROLLER] = "Flux's Helm controller",
    [TOOL_ARGOCD] = "Argo CD",
    [TOOL_FLUX] = "Flux",
    [TOOL_FLUX_OPERATOR] = "Flux Operator",
    [TOOL_TIMONI] = "Timoni",
    [TOOL_TERRAFORM] = "Terraform",
    [TOOL_KAPP] = "kapp",
    [TOOL_KLUCTL] = "Kluctl",
    [TOOL_CONFIG_SYNC] = "Config Sync",
    [TOOL_PULUMI] = "Pulumi",
    [TOOL_WERF] = "werf",
    [TOOL_K3S] = "k3s",
};

const char *tool_name(enum tool tool)
{
    return tool_words[tool];
}

/* Words for names whose class depends on other evidence than the name. */
static const struct {
    struct manager manager;
    const char *words;
} other_words[] = {
    /* kubernetes, pkg/controller/podautoscaler */
    {{SLICE_LITERAL("horizontal-pod-autoscaler"), MANAGER_UPDATE, SLICE_LITERAL("scale")}, AUTOSCALER},
    /* pipelines that apply what Flux has in Git */
    {{SLICE_LITERAL("flux"), MANAGER_APPLY, SLICE_LITERAL("")}, "Flux"},
};

const char *manager_words(const struct manager *manager, bool *has_subresource)
{
    *has_subresource = false;
    for (size_t i = 0; i < ARRAY_SIZE(other_words); i++) {
        if (manager_equal(manager, &other_words[i].manager)) {
            *has_subresource = manager->subresource.length > 0;
            return other_words[i].words;
        }
    }
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        const struct row *row = &rows[i];
        const char *words = row->words ? row->words : tool_words[row->tool];
        if (words && row->operations & 1u << manager->operation && glob_match(row->name, manager->name) &&
            (!row->subresource.length || slice_equal(row->subresource, manager->subresource))) {
            *has_subresource = row->subresource.length > 0;
            return words;
        }
    }
    return NULL;
}

/* apimachinery, util/managedfields/internal: skipnonapplied.go, capmanagers.go */
bool manager_hides_writer(struct slice name)
{
    return slice_equal(name, SLICE("before-first-apply")) || slice_equal(name, SLICE("ancient-changes"));
}

bool manager_is_named(const struct manager *manager)
{
    return find_named(manager) != NULL;
}

bool manager_is_operator(const struct manager *manager)
{
    static const struct slice patterns[] = {
        SLICE_LITERAL("*operator*"), SLICE_LITERAL("*Operator*"), SLICE_LITERAL("*controller*"),
        SLICE_LITERAL("*Controller*")};
    bool has_subresource = false;
    if (manager->operation != MANAGER_APPLY || manager_words(manager, &has_subresource))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(patterns); i++)
        if (glob_match(patterns[i], manager->name))
            return true;
    const struct manager update = {.name = manager->name, .operation = MANAGER_UPDATE};
    const struct row *row = find_named(&update);
    return row && row->classes[ROLE_OWNER] == CLASS_CONTROLLER;
}

bool managers_have_operator(const struct manager *managers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (manager_is_operator(&managers[i]))
            return true;
    return false;
}

struct slice manager_product(const struct manager *manager)
{
    const struct row *row = find_named(manager);
    return row ? row->product : (struct slice){NULL, 0};
}

bool manager_is_controller_manager(struct slice name)
{
    static const char *const names[] = {"kube-controller-manager", "k3s", "rke2", "kubelite"};
    return slice_is_one_of(name, names, ARRAY_SIZE(names));
}

bool manager_is_known(struct slice name)
{
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (slice_equal(rows[i].name, name))
            return true;
    return false;
}

struct slice manager_nearly(struct slice text)
{
    if (manager_is_known(text))
        return (struct slice){NULL, 0};
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct slice name = rows[i].name;
        bool is_pattern = slice_contains(name, '*');
        bool is_as_long = text.length + 1 >= name.length && text.length <= name.length + 1;
        if (!is_pattern && is_as_long && name.length >= LONG_NAME_BYTES && word_distance(text, name) == 1)
            return name;
    }
    return (struct slice){NULL, 0};
}

/* flux2, internal/utils/apply.go: flux bootstrap and flux install apply what Flux then reconciles. */
static enum tool tool_with_commands(struct slice name)
{
    return slice_equal(name, SLICE("flux")) ? TOOL_FLUX : manager_tool(name);
}

bool manager_is_same_tool(struct slice a, struct slice b)
{
    if (slice_equal(a, b))
        return true;
    enum tool tool = tool_with_commands(a);
    return tool != TOOL_OTHER && tool == tool_with_commands(b);
}

static const char *const class_names[] = {
    [CLASS_APPLIER] = "applier", [CLASS_CONTROLLER] = "controller", [CLASS_AD_HOC] = "adhoc",
    [CLASS_UNKNOWN] = "unknown", [CLASS_OPERATOR] = "operator",     [CLASS_BOOKKEEPING] = "bookkeeping",
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
    size_t index;
    bool is_known = word_find(text, class_names, CLASS_BOOKKEEPING + 1, &index);
    if (is_known)
        *class = (enum manager_class)index;
    return is_known;
}

bool manager_operation_parse(struct slice text, enum manager_operation *operation)
{
    size_t index;
    bool is_known = word_find(text, operation_names, MANAGER_UPDATE + 1, &index);
    if (is_known)
        *operation = (enum manager_operation)index;
    return is_known;
}
