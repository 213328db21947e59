"""Teams deploy with Helm 3 and Helm 4: what Helm prints and how it exits, and what the audit log holds.

Helm 3 patches client-side and leaves no record of its declarations; Helm 4 applies server-side where it installed so.
"""

import functools

import guarded
from api import MERGE
from stage import BOTH, HEALED, TAKEN, Stage, chosen, editor, stories, web

FIGHT = "ownership-conflict warn deny"


def stories_with_each_helm(*policies):
    """As `stories`; the test method also takes 3 or 4."""
    def decorate(method):
        @functools.wraps(method)
        def act(self):
            for policy in chosen(method, policies):
                for major in (3, 4):
                    with self.subTest(policy=policy, helm=major):
                        method(self, Stage(self, policy), major)
        return act
    return decorate


def forced(major, command):
    """Helm 4 leaves a field that another manager owns, and fails, unless a flag lets it take it; Helm 3 always takes it."""
    return f"{command} --force-conflicts" if major == 4 else command


def scale_as_autoscaler(stage, replicas):
    scaled = stage.api.request(
        "PATCH", stage.path("deployments", "web/scale"), {"spec": {"replicas": replicas}}, user="setup",
        content_type=MERGE, agent="kube-controller-manager/v1.36.3 (linux)")
    stage.test.assertTrue(scaled.ok, scaled.body)


def replicas_and_image(stage):
    spec = stage.get("deployments", "web")["spec"]
    return spec["replicas"], spec["template"]["spec"]["containers"][0]["image"]


class Helm(guarded.Guarded):

    @stories_with_each_helm(*BOTH)
    def test_a_release_lives_undisturbed(self, stage, major):
        """Protects users who do nothing wrong: not a word from install to uninstall."""
        stage.when_helm(major, "install web")
        stage.then(requests=4)
        stage.when_helm(major, "upgrade web", image="nginx:2", greeting="hi")
        stage.then()
        stage.when_helm(major, "rollback web 1")
        stage.then()
        self.assertEqual((3, "nginx:1"), replicas_and_image(stage))
        stage.when_helm(major, "uninstall web")
        stage.then(requests=0)

    @stories_with_each_helm("strict")
    def test_the_release_itself_is_not_looked_at(self, stage, major):
        """Protects the API server from reviews of a megabyte, and the release's Secret from being sent anywhere."""
        stage.when_helm(major, "install web")
        stage.when_helm(major, "upgrade web", image="nginx:2")
        self.assertEqual(2, len(stage.api.request("GET", stage.path("secrets", group="v1")).body["items"]))
        self.assertFalse({"Secret"} & {each.request["kind"]["kind"] for each in self.recorder.since(0)})

    @stories_with_each_helm(*BOTH)
    def test_an_edit_of_what_helm_applies(self, stage, major):
        """Protects releases: the next upgrade reverts the edit, and the editor gets a warning."""
        stage.given_helm(major, "install web")
        stage.when("edit deployment/web", environment=editor("s/nginx:1$/nginx:9/"))
        stage.then(TAKEN)
        stage.when("scale deployment/web --replicas=5")
        stage.then(requests=0)

    @stories_with_each_helm(*BOTH)
    def test_an_upgrade_heals_an_edit(self, stage, major):
        """Protects users who upgrade: to take back what was edited is recorded, not scolded."""
        stage.given_helm(major, "install web")
        stage.given("edit deployment/web", environment=editor("s/nginx:1$/nginx:9/"))
        stage.when_helm(major, forced(major, "upgrade web"), image="nginx:2")
        stage.then(HEALED)

    @stories_with_each_helm(*BOTH)
    def test_an_upgrade_heals_set_image_and_scale(self, stage, major):
        stage.given_helm(major, "install web")
        stage.given("set image deployment/web nginx=nginx:9")
        stage.given("scale deployment/web --replicas=5")
        stage.when_helm(major, forced(major, "upgrade web"), image="nginx:2")
        stage.then(HEALED, HEALED)
        self.assertEqual((3, "nginx:2"), replicas_and_image(stage))

    @stories_with_each_helm(*BOTH)
    def test_a_rollback_heals_an_edit(self, stage, major):
        stage.given_helm(major, "install web")
        stage.given_helm(major, "upgrade web", image="nginx:2")
        stage.given("set image deployment/web nginx=nginx:9")
        stage.when_helm(major, forced(major, "rollback web 1"))
        stage.then(HEALED)
        self.assertEqual((3, "nginx:1"), replicas_and_image(stage))

    @stories_with_each_helm(*BOTH)
    def test_an_upgrade_takes_replicas_from_the_autoscaler(self, stage, major):
        """Protects autoscalers from charts that declare replicas; a denial is a failed upgrade, and nothing is scaled."""
        stage.given_helm(major, "install web")
        scale_as_autoscaler(stage, 8)
        stage.when_helm(major, forced(major, "upgrade web"), image="nginx:2")
        stage.then(FIGHT)
        denied = stage.policy == "strict"
        self.assertEqual((8, "nginx:1") if denied else (3, "nginx:2"), replicas_and_image(stage))
        history = stage.when_helm(major, "history web --output=json --max=1").output
        self.assertIn('"status":"failed"' if denied else '"status":"deployed"', history)

    @stories(*BOTH)
    def test_an_upgrade_hands_replicas_to_the_autoscaler(self, stage):
        """Protects the way out: once the autoscaler owns replicas, a chart without them is applied in silence."""
        stage.given_helm(4, "install web")
        scale_as_autoscaler(stage, 8)
        stage.when_helm(4, "upgrade web", replicas="null")
        stage.then()
        self.assertEqual(8, replicas_and_image(stage)[0])

    @stories(*BOTH)
    def test_helm_3_resets_replicas_that_leave_the_chart(self, stage):
        """Protects the warning's claim about Helm without server-side apply: the default comes back, with any owner of the
        field."""
        stage.given_helm(3, "install web")
        scale_as_autoscaler(stage, 8)
        stage.when_helm(3, "upgrade web", replicas="null")
        stage.then(FIGHT)
        self.assertEqual(8 if stage.policy == "strict" else 1, replicas_and_image(stage)[0])

    @stories(*BOTH)
    def test_helm_4_hands_replicas_of_helm_3_to_the_autoscaler(self, stage):
        """Protects the way that docs/rules/dropped-replicas.md names: server-side first, with what Helm 3 applied."""
        stage.given_helm(3, "install web")
        stage.when_helm(4, "upgrade web --server-side=true")
        scale_as_autoscaler(stage, 8)
        stage.when_helm(4, "upgrade web --server-side=true", replicas="null")
        stage.then()
        self.assertEqual(8, replicas_and_image(stage)[0])

    @stories(*BOTH)
    def test_an_upgrade_drops_replicas_that_nobody_else_owns(self, stage):
        stage.given_helm(4, "install web")
        stage.when_helm(4, "upgrade web", replicas="null")
        stage.then("dropped-replicas warn deny")

    # Server-side apply

    @stories(*BOTH)
    def test_an_unforced_conflict_never_arrives(self, stage):
        """Protects the difference: applyguard has no finding about a request that the API server refuses itself."""
        stage.given_helm(4, "install web")
        stage.given("set image deployment/web nginx=nginx:9")
        outcome = stage.when_helm(4, "upgrade web", image="nginx:2")
        self.assertEqual((1, []), (outcome.status, outcome.rules))
        self.assertIn('conflict with "kubectl-set"', outcome.errors)
        self.assertNotIn("Deployment", {each.request["kind"]["kind"] for each in outcome.exchanges})

    @stories(*BOTH)
    def test_helm_4_takes_a_release_of_helm_3_over(self, stage):
        """Protects who changes over: first as Helm 3 did it, then server-side, where the same name owns both ways."""
        stage.given_helm(3, "install web")
        stage.when_helm(4, "upgrade web", image="nginx:2")
        stage.then()
        stage.when_helm(4, "upgrade web --server-side=true", image="nginx:3")
        stage.then()
        managers = {(entry["manager"], entry["operation"])
                    for entry in stage.get("deployments", "web")["metadata"]["managedFields"]}
        self.assertIn(("helm", "Apply"), managers)
        stage.given("set image deployment/web nginx=nginx:9")
        stage.when_helm(4, "upgrade web --server-side=true --force-conflicts", image="nginx:4")
        stage.then(HEALED)
        stage.when_helm(4, "rollback web 1")
        self.assertEqual((0, []), (stage.outcome.status, stage.outcome.warnings))

    # Helm and others

    @stories_with_each_helm(*BOTH)
    def test_helm_takes_what_kubectl_applies(self, stage, major):
        """Protects a move from kubectl apply to Helm, which is asked for: it is reported, and never denied."""
        stage.given("apply", web(strategy={"type": "RollingUpdate"}))
        stage.when_helm(major, forced(major, "install web --take-ownership"), image="nginx:2")
        stage.then("ownership-conflict warn warn")

    @stories_with_each_helm(*BOTH)
    def test_kubectl_applies_what_helm_installed(self, stage, major):
        stage.given_helm(major, "install web")
        stage.when("apply --server-side --force-conflicts", web("nginx:2", strategy={"type": "RollingUpdate"}))
        stage.then(TAKEN)


if __name__ == "__main__":
    guarded.main()
