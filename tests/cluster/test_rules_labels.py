"""Rules about labels, dedicated selectors, ApplySets, and contested fields."""

import base64
import hashlib
import json

import guarded
import kubernetes
from manifests import WIDGETS, define_widgets
from stage import ALL, BOTH, HEALED, STILL_NO_STRATEGY, STRATEGY, TAKEN, stories, web

HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\n"
DEDICATED = "dedicated-selector deny"


def dedicated(**labels):
    """A Deployment whose selector and pods have a label that nothing else uses."""
    deployment = web()
    labels = {**labels, "controller-selector": "web"}
    deployment["spec"]["selector"]["matchLabels"].update(labels)
    deployment["spec"]["template"]["metadata"]["labels"].update(labels)
    return deployment


class DedicatedSelector(guarded.Guarded):
    """The creator of a workload gets a finding that its selector is not its own; who comes later is not, as nothing can be
    done."""

    policies = {"dedicated": HEAD + """\
rules:
  dedicated-selector: {action: deny, labelKey: controller-selector}
  ownership-conflict: {action: "off"}
"""}

    @stories("dedicated", "dedicated-warn", "dedicated-audit")
    def test_a_deployment_without_the_label(self, stage):
        stage.when("apply", web())
        stage.then(STRATEGY, DEDICATED)

    @stories("dedicated")
    def test_a_deployment_with_the_label(self, stage):
        """Its ReplicaSet, made by the deployment controller, has the label from it."""
        stage.when("apply --server-side", dedicated())
        stage.then(STRATEGY)

    @stories("dedicated")
    def test_a_deployment_that_stands(self, stage):
        """The selector of before cannot be changed, so no later write hears of it; the ReplicaSets' neither."""
        stage.given("apply", web())
        stage.when("apply", web("nginx:2"))
        stage.then(STILL_NO_STRATEGY)
        stage.when("scale deployment/web --replicas=2")
        stage.then(requests=0)

    @stories("dedicated")
    def test_a_replica_set_of_a_deployment(self, stage):
        """The Deployment decides how it selects, for any writer of the ReplicaSet."""
        stage.given("apply", web())
        names = lambda: stage.given("get replicasets -o name").split()
        stage.wait_for(names, "the ReplicaSet")
        stage.when(f"annotate {names()[0]} note=hi")
        stage.then(requests=1)

    @stories("dedicated")
    def test_a_replication_controller(self, stage):
        """Its selector can be changed, so changing it to another one that is not its own is reported, too."""
        def controller(**labels):
            return {
                "apiVersion": "v1", "kind": "ReplicationController", "metadata": {"name": "web"},
                "spec": {"replicas": 0, "selector": labels, "template": {
                    "metadata": {"labels": labels}, "spec": {"containers": [{"name": "nginx", "image": "nginx:1"}]}}}}
        stage.given("create", controller(app="web"))
        stage.when("annotate replicationcontroller/web note=hi")
        stage.then(requests=1)
        stage.when("replace", controller(app="web2"))
        stage.then(DEDICATED)
        stage.when("replace", controller(app="web2", **{"controller-selector": "web"}))
        stage.then()

    @stories("dedicated")
    def test_a_job_with_a_selector_of_its_own(self, stage):
        """A Job's selector is made for it alone, unless it brings one."""
        def job(name, **spec):
            return {
                "apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": name},
                "spec": {**spec, "template": {"metadata": {"labels": {"app": "job"}}, "spec": {
                    "restartPolicy": "Never", "containers": [{"name": "a", "image": "busybox"}]}}}}
        stage.when("create", job("plain"))
        stage.then()
        stage.when("create", job("manual", manualSelector=True, selector={"matchLabels": {"app": "job"}}))
        stage.then(DEDICATED)


APPLYSET = "applyset warn deny"
DOMAIN = "applyset.kubernetes.io"
# As the kubectl that applies to it writes it.
TOOLING = f"kubectl/v{kubernetes.version_of(kubernetes.chosen_minor())}"
ANNOTATE = {f"{DOMAIN}/tooling": TOOLING, f"{DOMAIN}/contains-group-kinds": "ConfigMap"}


def set_id(name, namespace, kind="Secret", group=""):
    digest = hashlib.sha256(f"{name}.{namespace}.{kind}.{group}".encode()).digest()
    return f"applyset-{base64.urlsafe_b64encode(digest).decode().rstrip('=')}-v1"


def config_map(name="member", labels=None, **data):
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "labels": labels or {}}, "data": data}


def items(*objects):
    return {"apiVersion": "v1", "kind": "List", "items": list(objects)}


class ApplySets(guarded.Guarded):
    """kubectl's own writes are silent, through all of a set's life; faults of a label are reported."""

    webhook = {"extraRules": [{"apiGroups": ["cluster.applyguard.test"], "resources": ["widgets"]}]}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        define_widgets(cls, {f"{DOMAIN}/is-parent-type": "true", f"{guarded.DOMAIN}/run": cls.run_id})

    def apply(self, stage, parent, *objects, flags=""):
        stage.when(f"apply --prune --applyset={parent} {flags}", items(*objects),
                   environment={"KUBECTL_APPLYSET": "true"})

    def live_labels(self, stage, resource, name):
        return json.loads(stage.given(f"get {resource} {name} -o json"))["metadata"].get("labels", {})

    @stories(*BOTH)
    def test_the_life_of_a_set(self, stage):
        """Made, grown by another kind, and pruned: kubectl writes the parent before and after each apply."""
        for flags in ("", "--server-side --field-manager=kubectl"):
            for parent, resource in (("myset", "secret"), ("configmaps/parent", "configmap")):
                self.apply(stage, parent, config_map(a="1"), config_map("other"), flags=flags)
                stage.then()
                self.apply(stage, parent, config_map(a="2"), {
                    "apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "robot"}}, flags=flags)
                stage.then()
                self.assertIn("configmap/other pruned", stage.outcome.output)
                name = parent.rpartition("/")[2]
                kind = {"secret": "Secret", "configmap": "ConfigMap"}[resource]
                own = set_id(name, stage.namespace, kind)
                self.assertEqual(own, self.live_labels(stage, resource, name)[f"{DOMAIN}/id"])
                self.assertEqual(own, self.live_labels(stage, "configmap", "member")[f"{DOMAIN}/part-of"])
                stage.given("delete configmap/member serviceaccount/robot")

    @stories(*BOTH)
    def test_a_custom_resource_is_the_parent(self, stage):
        """Made by hand, as kubectl makes none, with the label and the annotations that kubectl asks for."""
        own = set_id("w", stage.namespace, "Widget", "cluster.applyguard.test")
        stage.when("apply --server-side", {
            "apiVersion": "cluster.applyguard.test/v1", "kind": "Widget",
            "metadata": {"name": "w", "labels": {f"{DOMAIN}/id": own}, "annotations": ANNOTATE}})
        stage.then()
        self.apply(stage, f"{WIDGETS}/w", config_map(a="1"), config_map("other"))
        stage.then()
        self.apply(stage, f"{WIDGETS}/w", config_map(a="1"))
        stage.then()
        self.assertIn("configmap/other pruned", stage.outcome.output)

    @stories(*ALL)
    def test_two_sets_have_one_object(self, stage):
        """kubectl lets the second set take the member; the first would go on to declare it."""
        self.apply(stage, "first", config_map(a="1"))
        stage.then()
        self.apply(stage, "second", config_map(a="1"))
        stage.then(APPLYSET)

    @stories(*BOTH)
    def test_a_member_is_handed_over(self, stage):
        """As documented: off with its label, then into the other set."""
        self.apply(stage, "first", config_map(a="1"))
        stage.given(f"label configmap member {DOMAIN}/part-of-")
        self.apply(stage, "second", config_map(a="1"))
        stage.then()

    @stories(*BOTH)
    def test_a_member_of_no_set(self, stage):
        """Reported to the writer of the label, and to kubectl apply as long as the manifest has it."""
        labels = {f"{DOMAIN}/part-of": "my-set"}
        stage.when("apply", config_map(labels=labels))
        stage.then(APPLYSET)
        stage.given("apply", config_map(labels=labels))
        stage.when("annotate configmap/member note=hi")
        stage.then()
        stage.given("annotate configmap/member note-")
        stage.when("apply", config_map(labels=labels, a="1"))
        stage.then(APPLYSET)
        stage.when("apply", config_map(a="1"))
        stage.then()

    @stories(*BOTH)
    def test_a_copy_of_a_parent(self, stage):
        """A parent under another name, as of a backup: kubectl refuses it, with the very reason."""
        copy = config_map("copy", labels={f"{DOMAIN}/id": set_id("myset", stage.namespace)})
        copy["metadata"]["annotations"] = ANNOTATE
        stage.when("create", copy)
        stage.then(APPLYSET)
        if stage.profile == "baseline":
            self.apply(stage, "configmaps/copy", config_map())
            self.assertIn(f'incorrect value for label "{DOMAIN}/id"', stage.outcome.errors)

    @stories(*BOTH)
    def test_a_parent_without_tooling(self, stage):
        """ownership-conflict reports its removal, applyset a creation without it; kubectl refuses both."""
        self.apply(stage, "myset", config_map())
        stage.when(f"annotate secret/myset {DOMAIN}/tooling-")
        stage.then(TAKEN)
        stage.when("create", config_map("made", labels={f"{DOMAIN}/id": set_id("made", stage.namespace, "ConfigMap")}))
        stage.then(APPLYSET)
        if stage.profile == "baseline":
            for parent in ("myset", "configmaps/made"):
                self.apply(stage, parent, config_map())
                self.assertIn(f'missing required annotation "{DOMAIN}/tooling"', stage.outcome.errors)


class ContestedField(guarded.Guarded):
    """Appliers in a fight get a finding when one of them takes the field once too often."""

    policies = {"peace": HEAD + """\
rules:
  ownership-conflict: {takeover: {applier-from-applier: audit}}
  contested-field: {action: deny, changes: 2}
"""}

    def take(self, stage, number, flags=""):
        stage.when(f"apply --server-side --force-conflicts --field-manager=tool-{number % 2} {flags}", config_map(a=str(number)))

    @stories("baseline", "strict-warn", "strict-audit")
    def test_two_appliers_fight(self, stage):
        """The first makes the object; four takes are let pass, a fifth is a fight."""
        for number in range(5):
            self.take(stage, number)
            stage.then(*([TAKEN] if number else []))
        self.take(stage, 5)
        stage.then(TAKEN, "contested-field audit warn")
        if stage.mode == "warn":
            self.assertIn(
                f"applyguard: ConfigMap {stage.namespace}/member: .data.a changed hands 5 times within 10m, now from tool-0 to "
                "tool-1; let only one of them set it [contested-field]", stage.outcome.warnings)

    @stories("peace", "peace-warn")
    def test_a_fight_is_refused(self, stage):
        """Denied, the field stays with whom it is, and dry runs before it count for nothing."""
        for number in range(3):
            self.take(stage, number)
        for number in range(3, 6):
            self.take(stage, 3, "--dry-run=server")
            stage.then("ownership-conflict audit", "contested-field deny")
        self.take(stage, 3)
        stage.then("ownership-conflict audit", "contested-field deny")
        owner = "3" if stage.mode == "warn" else "2"
        self.assertEqual(owner, stage.get("configmaps", "member", "v1")["data"]["a"])

    @stories("peace")
    def test_an_autoscaler_takes_its_field_back(self, stage):
        """Its write through the subresource scale is not seen, but its loss of the field is."""
        stage.given("apply --server-side --field-manager=flux", web(replicas=1))
        for replicas in range(2, 5):
            stage.given(f"scale deployment/web --replicas={replicas}")
            stage.when("apply --server-side --force-conflicts --field-manager=flux", web(replicas=1))
            stage.then(STILL_NO_STRATEGY, HEALED, *(["contested-field deny"] if replicas == 4 else []))

    @stories("peace")
    def test_one_applier_alone(self, stage):
        """However often it applies, it takes nothing of anybody."""
        for number in range(0, 12, 2):
            self.take(stage, number)
            stage.then()


if __name__ == "__main__":
    guarded.main()
