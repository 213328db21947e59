"""Rules about labels: dedicated selectors."""

import guarded
from stage import STRATEGY, stories, web

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
    """Who makes a workload is told that its selector is not its own; who comes later is not, as nothing can be done."""

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
        stage.then(STRATEGY)
        stage.when("scale deployment/web --replicas=2")
        stage.then(requests=0)

    @stories("dedicated")
    def test_a_replica_set_of_a_deployment(self, stage):
        """Whoever writes to it, it is the Deployment that says how it selects."""
        stage.given("apply", web())
        names = lambda: stage.given("get replicasets -o name").split()
        stage.wait_for(names, "the ReplicaSet")
        stage.when(f"annotate {names()[0]} note=hi")
        stage.then(requests=1)

    @stories("dedicated")
    def test_a_replication_controller(self, stage):
        """Its selector can be changed, so changing it to another that is not its own is told too."""
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


if __name__ == "__main__":
    guarded.main()
