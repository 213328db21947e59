"""Waivers: the writer that sets one, the findings that it lowers, and that no request excuses itself."""

import guarded
from stage import BOTH, STILL_NO_STRATEGY, TAKEN, editor, stories, web

HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"
SERVER_SIDE = "apply --server-side --force-conflicts"
RECREATE = {"strategy": {"type": "Recreate"}}
SET = "waiver audit"
WAIVED = "ownership-conflict audit"
DENIED = "ownership-conflict deny"
# Kluctl adopts what kubectl applied under its own name.
APPLIED_BY_CI = f"{SERVER_SIDE} --field-manager=ci"
IGNORE = "kustomize.toolkit.fluxcd.io/ssa=Ignore"


def manifest(image="nginx:1.14.2", annotations=None, **spec):
    each = web(image, **spec)
    each["metadata"]["annotations"] = annotations or {}
    return each


class Waivers(guarded.Guarded):
    policies = {
        "waivable": HEAD + "waivers: {rules: [explicit-strategy, ownership-conflict]}\n",
        "honouring": HEAD + "waivers: {honour: [kluctl, flux, argocd]}\n"}

    def waived_by(self, stage):
        return [finding.get("waivedBy") for each in stage.outcome.exchanges for finding in each.findings
                if finding["rule"] != "waiver"]

    # Our own annotation

    @stories(*BOTH)
    def test_setting_a_waiver_is_recorded(self, stage):
        """The policy lets nothing be waived, so there is a warning; setting it again, and taking it off, brings no finding."""
        stage.given(SERVER_SIDE, web(**RECREATE))
        stage.when("annotate deployment/web applyguard.io/waive=explicit-strategy", user="alice")
        stage.then("waiver warn warn")
        stage.when("label deployment/web team=a")
        stage.then()
        stage.when("annotate deployment/web applyguard.io/waive-")
        stage.then()

    @stories("waivable")
    def test_a_manifest_waives(self, stage):
        annotated = manifest(annotations={"applyguard.io/waive": "explicit-strategy"})
        stage.when("apply", annotated)
        stage.then("explicit-strategy audit", SET)
        self.assertEqual(["applyguard.io/waive"], self.waived_by(stage))
        stage.when("apply", manifest("nginx:1.15", annotations={"applyguard.io/waive": "explicit-strategy"}))
        stage.then("explicit-strategy audit")
        stage.when("apply", manifest("nginx:1.16"))
        stage.then(STILL_NO_STRATEGY)

    @stories("waivable")
    def test_an_edit_does_not_excuse_itself(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        patch = '''patch deployment/web --patch \'{"metadata": {"annotations": {"applyguard.io/waive": "ownership-conflict"}}, \\
            "spec": {"replicas": 7}}\' '''.replace("\\\n", "")
        stage.when(patch)
        stage.then(DENIED, SET)
        stage.given("annotate deployment/web applyguard.io/waive=ownership-conflict")
        stage.when(patch)
        stage.then(WAIVED)

    # Other tools

    @stories("honouring")
    def test_kluctl_forces(self, stage):
        stage.given(APPLIED_BY_CI, web(**RECREATE))
        kluctl = f"{SERVER_SIDE} --field-manager=kluctl"
        stage.when(kluctl, manifest("nginx:1.20", **RECREATE))
        stage.then(DENIED)
        stage.when(kluctl, manifest("nginx:1.20", {"kluctl.io/force-apply-field": "spec.replicas"}, **RECREATE))
        stage.then(DENIED, SET)
        path = "spec.template.spec.containers[0].image"
        stage.when(kluctl, manifest("nginx:1.20", {"kluctl.io/force-apply-field": path}, **RECREATE))
        # The other fields, which both declare with the same value, are not named.
        stage.then(WAIVED, SET, "multiple-appliers warn")
        self.assertEqual(["kluctl.io/force-apply-field"], list(filter(None, self.waived_by(stage))))
        # The other one applies, too, so that it is news that they share fields.
        stage.given(APPLIED_BY_CI, web("nginx:1.20", minReadySeconds=7, **RECREATE))
        stage.when(kluctl, manifest("nginx:1.20", {"kluctl.io/force-apply": "true"}, **RECREATE))
        stage.then(SET, "multiple-appliers audit")
        self.assertEqual(["kluctl.io/force-apply"], self.waived_by(stage))

    @stories("honouring")
    def test_somebody_else_writes_the_annotation(self, stage):
        """Kluctl reads its own manifest, so an annotation that another manager put on the object does not count."""
        stage.given(APPLIED_BY_CI, web(**RECREATE))
        stage.when("annotate deployment/web kluctl.io/force-apply=true")
        stage.then(SET)
        stage.when(f"{SERVER_SIDE} --field-manager=kluctl", web("nginx:1.20", **RECREATE))
        stage.then(DENIED, "orphaned-fields warn")

    @stories("honouring")
    def test_flux_ignores_an_object(self, stage):
        flux = f"{SERVER_SIDE} --field-manager=kustomize-controller"
        stage.given(flux, web(**RECREATE))
        edit = {"environment": editor("s/nginx:1.14.2/nginx:1.15/")}
        stage.when("edit deployment/web", **edit)
        stage.then(DENIED)
        stage.when(f"annotate deployment/web {IGNORE}")
        stage.then(SET)
        stage.when("edit deployment/web", **edit)
        stage.then(WAIVED)
        self.assertEqual(["kustomize.toolkit.fluxcd.io/ssa"], self.waived_by(stage))

    @stories("honouring")
    def test_argo_cd_applies_server_side(self, stage):
        stage.given(SERVER_SIDE, web(**RECREATE))
        options = {"argocd.argoproj.io/sync-options": "Prune=false, ServerSideApply=true"}
        stage.when(f"{SERVER_SIDE} --field-manager=argocd-controller", manifest("nginx:1.20", options, **RECREATE))
        stage.then(WAIVED, SET, "multiple-appliers audit")

    @stories(*BOTH)
    def test_no_tool_is_honoured_unasked(self, stage):
        stage.given(APPLIED_BY_CI, web(**RECREATE))
        annotated = manifest("nginx:1.20", {"kluctl.io/force-apply": "true"}, **RECREATE)
        stage.when(f"{SERVER_SIDE} --field-manager=kluctl", annotated)
        stage.then(TAKEN)


class ManyWarnings(guarded.Guarded):

    @stories("baseline")
    def test_at_most_five_warnings(self, stage):
        """A person reads five lines, and none of fifty: six managers lose a label each to one replace."""
        labelled = web(**RECREATE)
        labelled["metadata"]["labels"] = {"own": "x"}
        stage.given("create", labelled)
        for number in range(6):
            label = {"apiVersion": "apps/v1", "kind": "Deployment",
                     "metadata": {"name": "web", "labels": {f"l{number}": "x"}}}
            answer = stage.api.apply(stage.path("deployments", "web"), label, f"team-{number}", user="setup")
            self.assertTrue(answer.ok, answer.body)
        stage.when("replace", labelled)
        stage.then(*["ownership-conflict warn"] * 6)
        self.assertEqual(5, len(stage.outcome.warnings))
        self.assertEqual("applyguard: 2 more warnings", stage.outcome.warnings[-1])


if __name__ == "__main__":
    guarded.main()
