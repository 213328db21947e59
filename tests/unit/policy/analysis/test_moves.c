/*
 * Which managers may move whose fields without a change of value. A row too many hides a rewrite of
 * managedFields; a missing one accuses a tool of a move that it makes by design.
 */
#include "base/array_size.h"
#include "policy/analysis/moves.h"
#include "tests/unit/review_builder.h"

struct move_case {
    const char *from, *from_operation, *to, *to_operation;
    unsigned extent;
    bool owns_annotation; /* whether the previous owner owns the last-applied annotation */
    int updates; /* Update entries of the old object, the previous owner's the first; 0: as many as 1 */
    const char *writer; /* options.fieldManager */
    bool is_settled;    /* the gainer had an entry before */
    const char *user;
};

#define APPLY "Apply"
#define UPDATE "Update"

static unsigned extent_of(
    struct court *court, const struct move_case *test, const struct manager_moves *moves)
{
    const char *owned =
        test->owns_annotation ? ".spec.a .metadata.annotations.{" LAST_APPLIED_ANNOTATION "}" : ".spec.a";
    struct story story = {
        .manager = test->writer,
        .user = test->user,
        .old =
            {.body = "",
             .entries = {{.manager = test->from, .operation = test->from_operation, .fields = owned}}},
        .new =
            {.body = "",
             .entries = {{.manager = test->to, .operation = test->to_operation, .fields = ".spec.a"}}},
    };
    char names[UPDATE_ENTRIES_MAX][24];
    for (int i = 1; i < test->updates; i++) {
        snprintf(names[i], sizeof(names[i]), "tool-%d", i);
        story.old.entries[i] = (struct entry)UPDATES(names[i], ".spec.b");
    }
    if (test->is_settled)
        story.old.entries[test->updates + 1] = story.new.entries[0];
    const struct review *review = decode_story(court, &story);
    return moves_extent(
        review, moves, &review->ownership.before.entries[0], &review->ownership.after.entries[0]);
}

static void tools_move_what_their_sources_say(void **state)
{
    static const struct move_case cases[] = {
        /* Within one tool, from Update to Apply only. */
        {"flux", UPDATE, "flux", APPLY, MOVE_OWNED, .updates = 0},
        {"flux", APPLY, "flux", UPDATE, 0, .updates = 0},
        {"flux", UPDATE, "flux", UPDATE, 0, .updates = 0},
        {"flux", UPDATE, "argocd", APPLY, 0, .updates = 0},
        /* From a manager that declared through the annotation, to any applier. */
        {"mine", UPDATE, "flux", APPLY, MOVE_OWNED, .owns_annotation = true, .is_settled = true},
        {"mine", UPDATE, "flux", APPLY, MOVE_OWNED, .owns_annotation = true,
         .user = "system:serviceaccount:a:b"},
        {"mine", UPDATE, "flux", APPLY, 0, .owns_annotation = true},
        {"mine", UPDATE, "flux", UPDATE, 0, .owns_annotation = true},
        {"mine", APPLY, "flux", APPLY, 0, .owns_annotation = true},
        {"kubectl-client-side-apply", UPDATE, "kubectl", APPLY, MOVE_OWNED, .updates = 0},
        {"kubectl-edit", UPDATE, "kubectl", APPLY, 0, .updates = 0},
        {"kubectl-edit", UPDATE, "kustomize-controller", APPLY, MOVE_OWNED, .updates = 0},
        {"kubectl", APPLY, "kustomize-controller", APPLY, MOVE_OWNED, .updates = 0},
        {"before-first-apply", UPDATE, "kustomize-controller", APPLY, MOVE_OWNED, .updates = 0},
        {"helm", UPDATE, "kustomize-controller", APPLY, 0, .updates = 0},
        {"kubectl-edit", UPDATE, "kustomize-controller", UPDATE, 0, .updates = 0},
        {"helm", APPLY, "kustomize-controller", APPLY, MOVE_OWNED, .writer = "kustomize-controller"},
        {"helm", UPDATE, "kustomize-controller", APPLY, 0, .writer = "kubectl-patch"},
        {"kubectl-label", UPDATE, "flux-operator", APPLY, MOVE_OWNED, .updates = 0},
        {"before-first-apply", UPDATE, "flux-operator", APPLY, MOVE_OWNED, .updates = 0},
        {"flux", APPLY, "flux-operator", APPLY, MOVE_OWNED, .updates = 0},
        {"kustomize-controller", APPLY, "flux-operator", APPLY, MOVE_OWNED, .updates = 0},
        {"kustomize-controller", UPDATE, "flux-operator", APPLY, 0, .updates = 0},
        {"helm", UPDATE, "flux-operator", APPLY, MOVE_OWNED, .updates = 0},
        {"helm", APPLY, "flux-operator", APPLY, 0, .updates = 0},
        {"kustomize-controller", APPLY, "helm-controller", APPLY, MOVE_ALL, .is_settled = true},
        {"helm-controller", UPDATE, "kustomize-controller", APPLY, MOVE_ALL, .writer = "flux-operator-ctl",
         .is_settled = true},
        {"helm-controller", APPLY, "flux-operator", APPLY, MOVE_ALL, .is_settled = true},
        {"kustomize-controller", APPLY, "helm-controller", APPLY, 0, .updates = 0},
        {"kustomize-controller", APPLY, "helm-controller", APPLY, 0, .writer = "kubectl-patch",
         .is_settled = true},
        {"kubectl", APPLY, "timoni", APPLY, MOVE_OWNED, .updates = 0},
        {"before-first-apply", UPDATE, "timoni", APPLY, MOVE_OWNED, .updates = 0},
        {"helm", UPDATE, "timoni", APPLY, MOVE_OWNED, .updates = 0},
        {"flux", UPDATE, "timoni", APPLY, 0, .updates = 0},
        {"kubectl-client-side-apply", UPDATE, "argocd-controller", APPLY, MOVE_OWNED, .updates = 0},
        {"kubectl-client-side-apply", APPLY, "argocd-controller", APPLY, 0, .updates = 0},
        {"kubectl-edit", UPDATE, "argocd-controller", APPLY, 0, .updates = 0},
        {"helm", UPDATE, "argocd-controller", APPLY, MOVE_OWNED, .updates = 0},
        {"helm", APPLY, "argocd-controller", APPLY, 0, .updates = 0},
        {"kubectl-edit", UPDATE, "pulumi-kubernetes-1", APPLY, MOVE_OWNED, .updates = 0},
        {"before-first-apply", APPLY, "pulumi-kubernetes-1", APPLY, MOVE_OWNED, .updates = 0},
        {"pulumi-kubernetes-2", UPDATE, "pulumi-kubernetes-1", APPLY, MOVE_OWNED, .updates = 0},
        {"pulumi-resource-kubernetes", UPDATE, "pulumi-kubernetes-1", APPLY, MOVE_OWNED, .updates = 0},
        {"pulumi-kubernetes-2", APPLY, "pulumi-kubernetes-1", APPLY, 0, .updates = 0},
        {"helm", UPDATE, "pulumi-kubernetes-1", APPLY, 0, .updates = 0},
        {"kubectl-edit", UPDATE, "helm", APPLY, MOVE_OWNED | MOVE_SHARED, .updates = 0},
        {"werf-deploy", APPLY, "helm", APPLY, MOVE_OWNED | MOVE_SHARED, .updates = 0},
        {"flux", APPLY, "helm", APPLY, MOVE_SHARED, .updates = 0},
        {"flux", UPDATE, "helm", UPDATE, 0, .updates = 0},
        {"before-first-apply", UPDATE, "apiextensions.crossplane.io/composed/1", APPLY, MOVE_ALL,
         .updates = 0},
        {"before-first-apply", APPLY, "apiextensions.crossplane.io/composed/1", APPLY, 0, .updates = 0},
        {"crossplane", UPDATE, "apiextensions.crossplane.io/composed/1", APPLY, 0, .updates = 0},
        {"capi-topology", APPLY, "capi-machineset", APPLY, MOVE_LABELS, .updates = 0},
        {"capi-topology", APPLY, "capi-machineset-metadata", APPLY, MOVE_LABELS | MOVE_ALL | MOVE_RESTORED,
         .updates = 0},
        {"before-first-apply", UPDATE, "capi-machineset", APPLY, MOVE_ALL | MOVE_RESTORED, .updates = 0},
        {"manager", UPDATE, "capi-machineset-metadata", APPLY, MOVE_ALL | MOVE_RESTORED, .updates = 0},
        {"manager", UPDATE, "capi-machineset", APPLY, 0, .updates = 0},
        {"velero-server", UPDATE, "flux", APPLY, MOVE_ALL | MOVE_RESTORED, .updates = 0},
        {"velero-server", UPDATE, "my-operator", UPDATE, MOVE_ALL | MOVE_RESTORED, .updates = 0},
        {"velero-server", APPLY, "flux", APPLY, 0, .updates = 0},
        {"clusterctl", UPDATE, "capi-topology", APPLY, MOVE_ALL | MOVE_RESTORED, .updates = 0},
        {"clusterctl2", UPDATE, "capi-topology", APPLY, 0, .updates = 0},
        {"my-operator", UPDATE, "ancient-changes", UPDATE, MOVE_OWNED, .updates = UPDATE_ENTRIES_MAX},
        {"my-operator", UPDATE, "ancient-changes", UPDATE, 0, .updates = UPDATE_ENTRIES_MAX - 1},
        {"flux", APPLY, "ancient-changes", UPDATE, 0, .updates = UPDATE_ENTRIES_MAX},
    };
    const struct manager_moves none = {0};
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        unsigned extent = extent_of(*state, &cases[i], &none);
        if (extent != cases[i].extent)
            fail_msg(
                "%s (%s) to %s (%s) moves %u, not %u", cases[i].from, cases[i].from_operation, cases[i].to,
                cases[i].to_operation, extent, cases[i].extent);
    }
}

/* The policy's own moves hold for the fields that the gainer owns, and only for the users that it names. */
static void policies_add_moves(void **state)
{
    struct manager_move items[] = {
        {.from = SLICE("other"), .to = SLICE("new-*")}, {.from = SLICE("old-*"), .to = SLICE("new-*")}};
    const struct manager_moves moves = {.items = items, .count = ARRAY_SIZE(items)};
    const struct move_case meant = {"old-tool", UPDATE, "new-tool", UPDATE, 0, .updates = 0};
    const struct move_case back = {"new-tool", UPDATE, "old-tool", UPDATE, 0, .updates = 0};
    const struct move_case from_another = {"some-tool", UPDATE, "new-tool", UPDATE, 0, .updates = 0};
    assert_int_equal(extent_of(*state, &meant, &moves), MOVE_OWNED);
    assert_int_equal(extent_of(*state, &back, &moves), 0);
    assert_int_equal(extent_of(*state, &from_another, &moves), 0);
}

static bool clears(struct court *court, const struct story *story)
{
    return moves_clear_all(decode_story(court, story));
}

/* Crossplane alone, once, before its first apply. */
static void crossplane_clears_all_once(void **state)
{
    const struct entry composed = UPDATES("crossplane", ".spec.a"), other = UPDATES("helm", ".spec.b");
    struct story story = {.old = {.body = "", .entries = {other, composed, other}}, .new = {.body = ""}};
    assert_true(clears(*state, &story));
    story.manager = "kubectl-edit";
    assert_false(clears(*state, &story));
    story.manager = NULL;
    story.new.entries[0] = other;
    assert_false(clears(*state, &story));
    story.new.entries[0] = (struct entry){0};
    story.old.entries[2] = (struct entry)APPLIES("apiextensions.crossplane.io/composed/1", ".spec.b");
    assert_false(clears(*state, &story));
    story.old.entries[2] = (struct entry)UPDATES("apiextensions.crossplane.io/composed/1", ".spec.b");
    assert_true(clears(*state, &story));
    story.old.entries[1].subresource = "status";
    assert_false(clears(*state, &story));
    story.old.entries[1] = (struct entry)APPLIES("crossplane", ".spec.a");
    assert_false(clears(*state, &story));
    story.old.entries[1] = other;
    assert_false(clears(*state, &story));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(tools_move_what_their_sources_say),
        IN_COURT(policies_add_moves),
        IN_COURT(crossplane_clears_all_once),
    };
    return cmocka_run_group_tests_name("moves", tests, NULL, NULL);
}
