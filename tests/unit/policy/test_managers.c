/* Which kind of writer a manager is: the table of the design, row by row, and the policy's rules before it.
 */
#include "base/array_size.h"
#include "policy/managers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

struct class_case {
    const char *name;
    enum manager_operation operation;
    const char *subresource;
    bool keeps_configuration;
    enum manager_class class;
};

static bool answer(const void *context)
{
    return *(const bool *)context;
}

static void check(
    enum manager_role role, struct slice group, const struct class_rules *class_rules,
    const struct class_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct class_case *row = &cases[i];
        struct manager manager = {slice_of(row->name), row->operation, slice_of(row->subresource)};
        const struct manager_facts facts = {
            role, group, .keeps_configuration = answer, .context = &row->keeps_configuration};
        enum manager_class class = manager_classify(&manager, &facts, class_rules);
        if (class != row->class)
            fail_msg(
                "%s (%s, \"%s\", role %d, %s) is %s", row->name, manager_operation_name(row->operation),
                row->subresource, role, group.bytes, manager_class_name(class));
    }
}

/* The cases as this role, on kinds of this group. */
static void check_as(enum manager_role role, const char *group, const struct class_case *cases, size_t count)
{
    check(role, slice_of(group), NULL, cases, count);
}

/* The cases as owners. */
static void check_classes(const struct class_case *cases, size_t count)
{
    check_as(ROLE_OWNER, "apps", cases, count);
}

#define APPLY MANAGER_APPLY
#define UPDATE MANAGER_UPDATE

/* A manager that writes the status is a controller, under any name and operation. */
static void status_is_for_controllers(void **state)
{
    (void)state;
    static const struct class_case cases[] = {
        {"kube-controller-manager", UPDATE, "status", false, CLASS_CONTROLLER},
        {"kubectl", APPLY, "status", false, CLASS_CONTROLLER},
        {"kubectl-edit", UPDATE, "status", false, CLASS_CONTROLLER},
        {"kubectl-last-applied", APPLY, "status", false, CLASS_CONTROLLER},
        {"helm", UPDATE, "status", true, CLASS_CONTROLLER},
        {"before-first-apply", UPDATE, "status", false, CLASS_CONTROLLER},
        {"helm", UPDATE, "statuses", false, CLASS_APPLIER},
        {"kubectl", UPDATE, "scale", false, CLASS_AD_HOC},
        {"kube-controller-manager", UPDATE, "scale", false, CLASS_CONTROLLER},
        {"kubectl", APPLY, "scale", false, CLASS_APPLIER},
    };
    check_classes(cases, ARRAY_SIZE(cases));
}

/* Classes that the user gave, and classes that are guessed by the name. */
static void rules_of_the_policy_are_known(void **state)
{
    (void)state;
    const struct class_rule rule = {
        .name = SLICE_LITERAL("team-*"), .operation = MANAGER_UPDATE, .any_subresource = true};
    const struct class_rules class_rules = {&rule, 1};
    const struct manager team = {SLICE("team-operator"), MANAGER_UPDATE, SLICE("scale")};
    const struct manager applied = {SLICE("team-operator"), MANAGER_APPLY, SLICE("")};
    const struct manager other = {SLICE("operator"), MANAGER_UPDATE, SLICE("")};
    assert_true(manager_has_rule(&team, &class_rules));
    assert_false(manager_has_rule(&applied, &class_rules));
    assert_false(manager_has_rule(&other, &class_rules));
    assert_false(manager_has_rule(&team, NULL));
}

/* kubectl's keeper of the annotation competes with no manager. */
static void bookkeeping_has_one_name(void **state)
{
    (void)state;
    static const struct class_case cases[] = {
        {"kubectl-last-applied", APPLY, "", false, CLASS_BOOKKEEPING},
        {"kubectl-last-applied", UPDATE, "", true, CLASS_AD_HOC},
        {"kubectl-last-applied", APPLY, "scale", false, CLASS_BOOKKEEPING},
        {"kubectl-last-applied2", UPDATE, "", false, CLASS_AD_HOC},
    };
    check_classes(cases, ARRAY_SIZE(cases));
}

/* A server-side apply declares a configuration, under any name. */
static void apply_is_for_appliers(void **state)
{
    (void)state;
    static const struct class_case cases[] = {
        {"kubectl", APPLY, "", false, CLASS_APPLIER},
        {"argocd-controller", APPLY, "", false, CLASS_APPLIER},
        {"kubectl-edit", APPLY, "", false, CLASS_APPLIER},
        {"k9s", APPLY, "", false, CLASS_APPLIER},
        {"before-first-apply", APPLY, "", false, CLASS_APPLIER},
        {"anything at all", APPLY, "", false, CLASS_APPLIER},
        {"clusterrole-aggregation-controller", APPLY, "", false, CLASS_CONTROLLER},
        {"curl", APPLY, "", false, CLASS_APPLIER},
        {"", APPLY, "", false, CLASS_APPLIER},
    };
    check_classes(cases, ARRAY_SIZE(cases));
}

/* Tools that apply with plain updates are known by their names. */
static void client_side_appliers_are_known(void **state)
{
    (void)state;
    static const struct class_case cases[] = {
        {"kubectl-client-side-apply", UPDATE, "", false, CLASS_APPLIER},
        {"helm", UPDATE, "", false, CLASS_APPLIER},
        {"argocd-controller", UPDATE, "", false, CLASS_APPLIER},
        {"helm.exe", UPDATE, "", false, CLASS_APPLIER},
        {"helm_v3", UPDATE, "", false, CLASS_APPLIER},
        {"helm-v3.22.0", UPDATE, "", false, CLASS_APPLIER},
        {"kapp-linux-amd64", UPDATE, "", false, CLASS_APPLIER},
        {"helm3.14", UPDATE, "", false, CLASS_APPLIER},
        {"helm4", UPDATE, "", false, CLASS_APPLIER},
        {"kluctl", UPDATE, "", false, CLASS_APPLIER},
        {"pulumi-kubernetes", UPDATE, "", false, CLASS_APPLIER},
        {"pulumi-kubernetes-1a2b", UPDATE, "", false, CLASS_APPLIER},
        {"HashiCorp", UPDATE, "", false, CLASS_APPLIER},
        {"hashicorp", UPDATE, "", false, CLASS_UNKNOWN},
        {"terraform-provider-helm_v2.17.0_x5", UPDATE, "", false, CLASS_APPLIER},
        {"pulumi-resource-kubernetes", UPDATE, "", false, CLASS_APPLIER},
        {"fleetagent", UPDATE, "", false, CLASS_APPLIER},
        {"configsync.gke.io", UPDATE, "", false, CLASS_APPLIER},
        {"kubevela", UPDATE, "", false, CLASS_APPLIER},
        {"kapp", UPDATE, "", false, CLASS_APPLIER},
        {"kapp-controller", UPDATE, "", false, CLASS_UNKNOWN},
        {"work-agent", UPDATE, "", false, CLASS_APPLIER},
        {"karmada-agent", UPDATE, "", false, CLASS_APPLIER},
        {"karmada-controller-manager", UPDATE, "", false, CLASS_APPLIER},
        {"zarf", UPDATE, "", false, CLASS_APPLIER},
        {"werf", UPDATE, "", false, CLASS_APPLIER},
        {"helmwave", UPDATE, "", false, CLASS_APPLIER},
        {"my-pulumi-kubernetes", UPDATE, "", false, CLASS_UNKNOWN},
    };
    check_classes(cases, ARRAY_SIZE(cases));
}

/* A tool controls the objects that it maintains for itself; what it deploys for people, it applies. */
static void tools_control_kinds_of_their_own(void **state)
{
    (void)state;
    static const struct {
        const char *name, *group, *other_group;
        enum manager_class elsewhere;
    } tools[] = {
        {"argocd-application-controller", "argoproj.io", "apps", CLASS_APPLIER},
        {"kustomize-controller", "kustomize.toolkit.fluxcd.io", "apps", CLASS_APPLIER},
        {"helm-controller", "helm.toolkit.fluxcd.io", "", CLASS_APPLIER},
        {"helm-controller", "source.toolkit.fluxcd.io", "toolkit.fluxcd.io.example.com", CLASS_APPLIER},
        {"kluctl", "gitops.kluctl.io", "apps", CLASS_APPLIER},
        {"kluctl-1a2b", "gitops.kluctl.io", "apps", CLASS_APPLIER},
    };
    for (size_t i = 0; i < ARRAY_SIZE(tools); i++) {
        const struct class_case own = {tools[i].name, UPDATE, "", false, CLASS_CONTROLLER};
        const struct class_case other = {tools[i].name, UPDATE, "", false, tools[i].elsewhere};
        check_as(ROLE_SERVICE, tools[i].group, &own, 1);
        check_as(ROLE_SERVICE, tools[i].other_group, &other, 1);
    }
}

/* People change Applications in the pages of Argo CD, and its server writes that with its service account. */
static void page_of_argocd_is_used_by_people(void **state)
{
    (void)state;
    static const struct class_case owner = {"argocd-server", UPDATE, "", false, CLASS_UNKNOWN};
    static const struct class_case service = {"argocd-server", UPDATE, "", false, CLASS_CONTROLLER};
    static const struct class_case elsewhere = {"argocd-server", UPDATE, "", false, CLASS_AD_HOC};
    check_as(ROLE_OWNER, "argoproj.io", &owner, 1);
    check_as(ROLE_SERVICE, "argoproj.io", &service, 1);
    check_as(ROLE_SERVICE, "apps", &elsewhere, 1);
}

/* People and their tools, kubectl's other commands among them, even where they took the annotation along. */
static void people_and_scripts_are_ad_hoc(void **state)
{
    (void)state;
    static const struct class_case cases[] = {
        {"kubectl", UPDATE, "", false, CLASS_AD_HOC},
        {"kubectl-edit", UPDATE, "", false, CLASS_AD_HOC},
        {"kubectl-edit", UPDATE, "", true, CLASS_AD_HOC},
        {"kubectl-", UPDATE, "", false, CLASS_AD_HOC},
        {"kubectl-client-side-apply-2", UPDATE, "", false, CLASS_AD_HOC},
        {"flux-client-side-apply", UPDATE, "", true, CLASS_AD_HOC},
        {"flux", UPDATE, "", false, CLASS_AD_HOC},
        {"k9s", UPDATE, "", false, CLASS_AD_HOC},
        {"k9s", UPDATE, "scale", false, CLASS_AD_HOC},
        {"kubectl.exe", UPDATE, "", false, CLASS_AD_HOC},
        {"oc", UPDATE, "", false, CLASS_AD_HOC},
        {"Headlamp", UPDATE, "", false, CLASS_AD_HOC},
        {"Freelens", UPDATE, "", false, CLASS_AD_HOC},
        {"LensDesktop", UPDATE, "", false, CLASS_AD_HOC},
        {"OpenLens", UPDATE, "", false, CLASS_AD_HOC},
        {"dashboard", UPDATE, "", false, CLASS_AD_HOC},
        {"dashboard-api", UPDATE, "", false, CLASS_AD_HOC},
        {"GoogleCloudConsole", UPDATE, "", false, CLASS_AD_HOC},
    };
    check_classes(cases, ARRAY_SIZE(cases));
}

/* A name that many programs share says little; the user of a request says more, and an owner has none. */
static void shared_names_are_what_their_user_is(void **state)
{
    (void)state;
    static const char *const names[] = {
        "node-fetch",
        "Mozilla",
        "curl",
        "python-requests",
        "okhttp",
        "axios",
        "Python",
        "Go-http-client",
        "OpenAPI-Generator",
        "unknown",
        "fabric8-kubernetes-client",
        "Kubernetes Java Client",
        "rancher",
        "agent",
        "foo",
        "mozilla",
        ""};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct class_case owner = {names[i], UPDATE, "", false, CLASS_UNKNOWN};
        const struct class_case person = {names[i], UPDATE, "", false, CLASS_AD_HOC};
        const struct class_case service = {names[i], UPDATE, "", false, CLASS_CONTROLLER};
        const struct class_case applier = {names[i], UPDATE, "", true, CLASS_APPLIER};
        check_as(ROLE_OWNER, "apps", &owner, 1);
        check_as(ROLE_PERSON, "apps", &person, 1);
        check_as(ROLE_SERVICE, "apps", &service, 1);
        check_as(ROLE_SERVICE, "apps", &applier, 1);
    }
}

/* An Apply under a name of its own is an operator's if a service account sends it, and declares what it owns.
 */
static void unknown_appliers_of_services_are_operators(void **state)
{
    (void)state;
    static const char *const names[] = {"externalsecrets.external-secrets.io/app",
                                        "cert-manager-cainjector",
                                        "sail-operator",
                                        "eks",
                                        "ci",
                                        ""};
    static const char *const known[] = {
        "kubectl",
        "kubectl-applyset",
        "helm",
        "helm.exe",
        "helm-controller",
        "kustomize-controller",
        "argocd-controller",
        "timoni",
        "Terraform",
        "kluctl",
        "kluctl-abc",
        "pulumi-kubernetes-1a",
        "fleetagent",
        "configsync.gke.io",
        "kapp",
        "werf",
        "flux-operator"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct class_case applier = {names[i], APPLY, "", false, CLASS_APPLIER};
        const struct class_case operator= {names[i], APPLY, "", false, CLASS_OPERATOR};
        check_as(ROLE_OWNER, "apps", &applier, 1);
        check_as(ROLE_PERSON, "apps", &applier, 1);
        check_as(ROLE_SERVICE, "apps", &operator, 1);
    }
    for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
        const struct class_case applier = {known[i], APPLY, "", false, CLASS_APPLIER};
        check_as(ROLE_SERVICE, "apps", &applier, 1);
    }
}

static bool is_true(const void *context)
{
    (void)context;
    return true;
}

/* The subresource scale, a row, and an owner reference that the manager set are evidence of a controller. */
static void evidence_makes_an_owner_a_controller(void **state)
{
    (void)state;
    static const struct class_case cases[] = {
        {"foo", UPDATE, "scale", false, CLASS_CONTROLLER},
        {"k3s", UPDATE, "", false, CLASS_CONTROLLER},
        {"cert-manager-certificates-issuing", UPDATE, "", false, CLASS_CONTROLLER},
        {"openshift-controller-manager", UPDATE, "", false, CLASS_CONTROLLER},
        {"pilot-discovery", UPDATE, "", false, CLASS_CONTROLLER},
    };
    check_classes(cases, ARRAY_SIZE(cases));
    const struct manager foo = {SLICE("foo"), UPDATE, SLICE("")},
                         edit = {SLICE("kubectl-edit"), UPDATE, SLICE("")};
    struct manager_facts facts = {.role = ROLE_OWNER, .made_controlled = is_true};
    assert_int_equal(manager_classify(&foo, &facts, NULL), CLASS_CONTROLLER);
    assert_int_equal(manager_classify(&edit, &facts, NULL), CLASS_AD_HOC);
    facts.role = ROLE_PERSON;
    assert_int_equal(manager_classify(&foo, &facts, NULL), CLASS_AD_HOC);
}

/* No person attends a restore who could change what the backup holds. Its former owner is not known. */
static void a_restore_writes_as_a_service(void **state)
{
    (void)state;
    for (int keeps = 0; keeps < 2; keeps++) {
        const struct class_case owner = {"velero-server", UPDATE, "", keeps, CLASS_UNKNOWN};
        const struct class_case person = {"velero-server", UPDATE, "", keeps, CLASS_AD_HOC};
        const struct class_case service = {"velero-server", UPDATE, "", keeps, CLASS_CONTROLLER};
        check_as(ROLE_OWNER, "apps", &owner, 1);
        check_as(ROLE_PERSON, "apps", &person, 1);
        check_as(ROLE_SERVICE, "apps", &service, 1);
    }
}

/* An operator of its platform declares what it owns, and takes as a controller does. */
static void an_operator_takes_otherwise_than_it_owns(void **state)
{
    (void)state;
    const struct class_case owner = {"cluster-version-operator", UPDATE, "", false, CLASS_APPLIER};
    const struct class_case writer = {"cluster-version-operator", UPDATE, "", false, CLASS_CONTROLLER};
    check_as(ROLE_OWNER, "apps", &owner, 1);
    check_as(ROLE_PERSON, "apps", &writer, 1);
    check_as(ROLE_SERVICE, "apps", &writer, 1);
}

/* Tools of several names are one; kubectl's two ways of applying are two, and so are Helm and Flux's. */
static void tools_are_known_by_all_their_names(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        bool same;
    } pairs[] = {
        {"argocd-controller", "argocd-application-controller", true},
        {"HashiCorp", "terraform-provider-helm_v2", true},
        {"any name", "any name", true},
        {"", "", true},
        {"any name", "another", false},
        {"argocd-controller", "argocd-server", false},
        {"kubectl", "kubectl-client-side-apply", false},
        {"helm", "helm-controller", false},
        {"helm", "helm-dashboard", true},
        {"helm", "helmwave", false},
        {"helm", "helm.exe", true},
        {"helm_v3", "helm4", true},
        {"helm", "helm-v3.22.0", true},
        {"helm", "helm-controller", false},
        {"kapp", "kapp-linux-amd64", true},
        {"deploy@server-1", "deploy@server-2", true},
        {"kapp", "kapp-controller", false},
        {"kluctl", "kluctl-abc", true},
        {"kustomize-controller", "helm-controller", false},
        {"kustomize-controller", "flux", true},
        {"flux", "flux-operator", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
        assert_int_equal(manager_is_same_tool(slice_of(pairs[i].a), slice_of(pairs[i].b)), pairs[i].same);
        assert_int_equal(manager_is_same_tool(slice_of(pairs[i].b), slice_of(pairs[i].a)), pairs[i].same);
    }
    assert_int_equal(manager_tool(SLICE("kustomize-controller")), TOOL_FLUX);
    assert_int_equal(manager_tool(SLICE("timoni")), TOOL_TIMONI);
    assert_int_equal(manager_tool(SLICE("Terraform")), TOOL_TERRAFORM);
    assert_int_equal(manager_tool(SLICE("kubectl-edit")), TOOL_OTHER);
}

/* Any other manager that keeps a configuration on the object applies it, under a name of its own. */
static void a_configuration_tells_an_applier(void **state)
{
    (void)state;
    static const struct class_case cases[] = {
        {"my-deployer", UPDATE, "", true, CLASS_APPLIER},
        {"my-deployer", UPDATE, "", false, CLASS_UNKNOWN},
        {"before-first-apply", UPDATE, "", true, CLASS_APPLIER},
        {"", UPDATE, "", true, CLASS_APPLIER},
    };
    check_classes(cases, ARRAY_SIZE(cases));
}

/* Fields without a known writer are ad-hoc; every other name without evidence is unknown. */
static void the_rest_are_unknown(void **state)
{
    (void)state;
    static const struct class_case cases[] = {
        {"before-first-apply", UPDATE, "", false, CLASS_AD_HOC},
        {"ancient-changes", UPDATE, "", false, CLASS_AD_HOC},
        {"unknown2", UPDATE, "", false, CLASS_UNKNOWN},
        {"kube-controller-manager", UPDATE, "", false, CLASS_CONTROLLER},
        {"", UPDATE, "", false, CLASS_UNKNOWN},
    };
    check_classes(cases, ARRAY_SIZE(cases));
}

/* The policy's rules come first, in their order, each with all it asks for. */
static void rules_of_the_policy_come_first(void **state)
{
    (void)state;
    static const struct class_rule rules[] = {
        {.name = SLICE_LITERAL("ci-admin"),
         .any_operation = true,
         .any_subresource = true,
         .class = CLASS_AD_HOC},
        {.name = SLICE_LITERAL("ci-*"),
         .operation = MANAGER_UPDATE,
         .any_subresource = true,
         .class = CLASS_APPLIER},
        {.name = SLICE_LITERAL("hpa"),
         .any_operation = true,
         .subresource = SLICE_LITERAL("scale"),
         .class = CLASS_AD_HOC},
        {.name = SLICE_LITERAL("main"),
         .any_operation = true,
         .subresource = SLICE_LITERAL(""),
         .class = CLASS_AD_HOC},
        {.name = SLICE_LITERAL("*-sync"),
         .any_operation = true,
         .any_subresource = true,
         .class = CLASS_BOOKKEEPING},
        {.name = SLICE_LITERAL("kubectl"),
         .operation = MANAGER_APPLY,
         .any_subresource = true,
         .class = CLASS_CONTROLLER},
        {.name = SLICE_LITERAL("*"),
         .any_operation = true,
         .subresource = SLICE_LITERAL("status"),
         .class = CLASS_BOOKKEEPING},
    };
    static const struct class_case cases[] = {
        {"ci-admin", UPDATE, "", false, CLASS_AD_HOC},
        {"ci-bot", UPDATE, "", false, CLASS_APPLIER},
        {"ci-bot", UPDATE, "status", false, CLASS_APPLIER},
        {"my-ci-bot", UPDATE, "", false, CLASS_UNKNOWN},
        {"hpa", UPDATE, "scale", false, CLASS_AD_HOC},
        {"hpa", UPDATE, "", false, CLASS_UNKNOWN},
        {"main", UPDATE, "", false, CLASS_AD_HOC},
        {"main", UPDATE, "scale", false, CLASS_CONTROLLER},
        {"git-sync", UPDATE, "", true, CLASS_BOOKKEEPING},
        {"kubectl", APPLY, "", false, CLASS_CONTROLLER},
        {"kubectl", UPDATE, "", false, CLASS_AD_HOC},
        {"helm", UPDATE, "status", false, CLASS_BOOKKEEPING},
        {"helm", UPDATE, "", false, CLASS_APPLIER},
    };
    const struct class_rules class_rules = {rules, ARRAY_SIZE(rules)};
    check(ROLE_OWNER, SLICE("apps"), &class_rules, cases, ARRAY_SIZE(cases));
}

/* A name is all of its bytes: what comes after a NUL is part of it. */
static void names_may_hold_any_byte(void **state)
{
    (void)state;
    struct manager manager = {{"helm\0", 5}, MANAGER_UPDATE, {NULL, 0}};
    const struct manager_facts facts = {.role = ROLE_OWNER};
    assert_int_equal(manager_classify(&manager, &facts, NULL), CLASS_UNKNOWN);
    manager.name = (struct slice){"kubectl-\0", 9};
    assert_int_equal(manager_classify(&manager, &facts, NULL), CLASS_AD_HOC);
}

/* Each printed name parses to the same class, and nothing else parses. */
static void names_of_classes_and_operations_round_trip(void **state)
{
    (void)state;
    for (int i = CLASS_APPLIER; i <= CLASS_BOOKKEEPING; i++) {
        enum manager_class class = i == CLASS_APPLIER ? CLASS_BOOKKEEPING : CLASS_APPLIER;
        assert_true(manager_class_parse(slice_of(manager_class_name((enum manager_class)i)), &class));
        assert_int_equal(class, i);
    }
    for (int i = MANAGER_APPLY; i <= MANAGER_UPDATE; i++) {
        enum manager_operation operation = i == MANAGER_APPLY ? MANAGER_UPDATE : MANAGER_APPLY;
        assert_true(
            manager_operation_parse(slice_of(manager_operation_name((enum manager_operation)i)), &operation));
        assert_int_equal(operation, i);
    }
    static const char *const wrong[] = {"",       "Applier", "applie", "appliers",
                                        "ad-hoc", "apply",   "update", "UPDATE"};
    for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
        enum manager_class class = CLASS_AD_HOC;
        enum manager_operation operation = MANAGER_UPDATE;
        assert_false(manager_class_parse(slice_of(wrong[i]), &class));
        assert_false(manager_operation_parse(slice_of(wrong[i]), &operation));
        assert_int_equal(class, CLASS_AD_HOC);
        assert_int_equal(operation, MANAGER_UPDATE);
    }
}

/* Protects who copies the defaults into a policy: a known name does not count as a misspelling of another
 * one. */
static void a_misspelled_name_is_near_a_known_one(void **state)
{
    (void)state;
    static const char *const known[] = {"python-urllib3", "Python-urllib", "argocd-controller", "helm"};
    assert_true(slice_equal(manager_nearly(SLICE("argocd-controler")), SLICE("argocd-controller")));
    assert_true(slice_equal(manager_nearly(SLICE("Python-urllib2")), SLICE("python-urllib3")));
    for (size_t i = 0; i < ARRAY_SIZE(known); i++)
        assert_int_equal(manager_nearly(slice_of(known[i])).length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_is_for_controllers),
        cmocka_unit_test(rules_of_the_policy_are_known),
        cmocka_unit_test(bookkeeping_has_one_name),
        cmocka_unit_test(apply_is_for_appliers),
        cmocka_unit_test(client_side_appliers_are_known),
        cmocka_unit_test(tools_control_kinds_of_their_own),
        cmocka_unit_test(shared_names_are_what_their_user_is),
        cmocka_unit_test(unknown_appliers_of_services_are_operators),
        cmocka_unit_test(evidence_makes_an_owner_a_controller),
        cmocka_unit_test(a_restore_writes_as_a_service),
        cmocka_unit_test(an_operator_takes_otherwise_than_it_owns),
        cmocka_unit_test(tools_are_known_by_all_their_names),
        cmocka_unit_test(page_of_argocd_is_used_by_people),
        cmocka_unit_test(people_and_scripts_are_ad_hoc),
        cmocka_unit_test(a_configuration_tells_an_applier),
        cmocka_unit_test(the_rest_are_unknown),
        cmocka_unit_test(rules_of_the_policy_come_first),
        cmocka_unit_test(names_may_hold_any_byte),
        cmocka_unit_test(names_of_classes_and_operations_round_trip),
        cmocka_unit_test(a_misspelled_name_is_near_a_known_one),
    };
    return cmocka_run_group_tests_name("managers", tests, NULL, NULL);
}
