"""people.py: what people and others do to what a tool installed: the fights, and who may have installed it before."""

import copy

from api import MERGE
from application import write, write_chart


def edit(bench, namespace):
    bench.edit("deployment/web", "s,example.com/web:[0-9],example.com/web:hotfix,", namespace)


def restart(bench, namespace):
    bench.kubectl("rollout", "restart", "deployment/web", namespace=namespace, user="alice")


def add_port(bench, namespace):
    bench.kubectl("patch", "service/web", "--patch", '{"spec": {"ports": [{"name": "admin", "port": 8081}]}}',
                  namespace=namespace, user="alice")


def suspend(bench, namespace):
    bench.kubectl("patch", "cronjob/report", "--patch", '{"spec": {"suspend": true}}', namespace=namespace, user="alice")


# {what: (BENCH, NAMESPACE) -> None}
ADDITIONS = {"kubectl rollout restart": restart, "kubectl patch adds a port": add_port, "kubectl patch suspends": suspend}


def with_kubectl(bench, namespace, objects):
    bench.kubectl("apply", "--filename", _files(bench, namespace, objects), namespace=namespace, user="alice")


def with_kubectl_server_side(bench, namespace, objects):
    bench.kubectl("apply", "--server-side", "--filename", _files(bench, namespace, objects), namespace=namespace, user="alice")


def with_helm_3(bench, namespace, objects):
    chart = write_chart(objects, bench.plane.directory / "former" / namespace)
    bench.helm(3, "install", "shop", chart, namespace=namespace)


def _files(bench, namespace, objects):
    return write(objects, bench.plane.directory / "former" / namespace)


# {who: (BENCH, NAMESPACE, OBJECTS) -> None}
FORMER = {"kubectl": with_kubectl, "kubectl-server-side": with_kubectl_server_side, "helm-3": with_helm_3}


def autoscaler(deployment, least):
    """It keeps to its bounds without any metrics."""
    return {
        "apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": {"name": deployment}, "spec": {
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": deployment},
            "minReplicas": least, "maxReplicas": 10, "metrics": [{"type": "Resource", "resource": {
                "name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}]}}


def _restore_with_velero(bench, namespace, saved):
    """The Deployment as a backup has it, by the requests of restoreItem in Velero's pkg/restore/restore.go.

    It creates what was saved, and puts the saved managedFields back with a patch.
    """
    saved, agent = copy.deepcopy(saved), "velero-server/v1.18.3"
    saved.pop("status", None)
    for key in ("uid", "resourceVersion", "generation", "creationTimestamp"):
        del saved["metadata"][key]
    saved["metadata"].setdefault("labels", {}).update({
        "velero.io/backup-name": "nightly", "velero.io/restore-name": "nightly-1"})
    root, managed = f"/apis/apps/v1/namespaces/{namespace}/deployments", saved["metadata"]["managedFields"]
    for method, path, body, options in (
            ("POST", root, saved, {}),
            ("PATCH", f"{root}/web", {"metadata": {"managedFields": managed}}, {"content_type": MERGE})):
        answer = bench.api.request(method, path, body, user="operator", agent=agent, **options)
        bench.assertTrue(answer.ok, answer.body)


def lose_and_restore(bench, namespace):
    """The purpose of a backup."""
    saved = bench.get("deployment/web", namespace)
    bench.kubectl("delete", "deployment/web", namespace=namespace, user="setup")
    _restore_with_velero(bench, namespace, saved)
