"""application.py: what the tools of the bench install: one object of each kind that people deploy, in two versions.

Version 2 changes, adds and removes fields; `without` leaves objects out, as a repository does from which they were deleted.
"""

import json

STRATEGY = {"type": "RollingUpdate"}


def application(version=1, *, replicas=2, without=(), cluster_roles=None, empty_rules=True):
    """The manifests. `cluster_roles`: a prefix for the names of an aggregated ClusterRole and one that it gathers.

    `empty_rules`: the aggregated one declares `rules: []`, as the documentation shows; an unforced server-side apply of it
    fails as soon as a controller has filled them.
    """
    objects = [*_configuration(version), *_rights(version), *_network(), *_workloads(version, replicas)]
    if cluster_roles:
        objects += _cluster_roles(cluster_roles, version, empty_rules)
    return [each for each in objects if f"{each['kind']}/{each['metadata']['name']}" not in without]


def write(objects, directory):
    """A file for each, as a repository has them; JSON is YAML."""
    directory.mkdir(parents=True, exist_ok=True)
    for old in directory.glob("*.yaml"):
        old.unlink()
    for each in objects:
        (directory / f"{each['kind'].lower()}-{each['metadata']['name']}.yaml").write_text(json.dumps(each, indent=2) + "\n")
    return directory


def write_chart(objects, directory):
    """The same as a Helm chart without values."""
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "Chart.yaml").write_text("apiVersion: v2\nname: shop\nversion: 1.0.0\n")
    write(objects, directory / "templates")
    return directory


def _object(api_version, kind, name, labels=None, **body):
    metadata = {"name": name, **({"labels": labels} if labels else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **body}


def _configuration(version):
    yield _object("v1", "ConfigMap", "settings", data={
        "greeting": "hello" if version == 1 else "good morning", **({"old": "1"} if version == 1 else {"new": "1"})})
    yield _object("v1", "ConfigMap", "leftover", data={"a": "1"})
    yield _object("v1", "Secret", "login", data={"password": "c2VjcmV0"}, type="Opaque")


def _rights(version):
    rules = [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list"]}]
    if version > 1:
        rules.append({"apiGroups": [""], "resources": ["services"], "verbs": ["get"]})
    yield _object("v1", "ServiceAccount", "web")
    yield _object("rbac.authorization.k8s.io/v1", "Role", "web", rules=rules)
    yield _object(
        "rbac.authorization.k8s.io/v1", "RoleBinding", "web",
        roleRef={"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "web"},
        subjects=[{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "shop"}])


def _cluster_roles(prefix, version, empty_rules):
    label = f"{prefix}/aggregate"
    verbs = ["get", "list"] if version == 1 else ["get", "list", "watch"]
    yield _object(
        "rbac.authorization.k8s.io/v1", "ClusterRole", f"{prefix}-all", **({"rules": []} if empty_rules else {}),
        aggregationRule={"clusterRoleSelectors": [{"matchLabels": {label: "true"}}]})
    yield _object(
        "rbac.authorization.k8s.io/v1", "ClusterRole", f"{prefix}-part", labels={label: "true"},
        rules=[{"apiGroups": [""], "resources": ["pods"], "verbs": verbs}])


def _network():
    yield _object("v1", "Service", "web", spec={
        "selector": {"app": "web"}, "ports": [{"name": "http", "port": 80, "targetPort": "http"}]})
    yield _object("v1", "Service", "db", spec={
        "clusterIP": "None", "selector": {"app": "db"}, "ports": [{"name": "sql", "port": 5432}]})
    yield _object("networking.k8s.io/v1", "Ingress", "web", spec={"rules": [{
        "host": "shop.example.com", "http": {"paths": [{
            "path": "/", "pathType": "Prefix", "backend": {"service": {"name": "web", "port": {"name": "http"}}}}]}}]})
    yield _object("networking.k8s.io/v1", "NetworkPolicy", "web", spec={
        "podSelector": {"matchLabels": {"app": "db"}}, "policyTypes": ["Ingress"],
        "ingress": [{"from": [{"podSelector": {"matchLabels": {"app": "web"}}}]}]})
    yield _object("policy/v1", "PodDisruptionBudget", "web", spec={
        "maxUnavailable": 1, "selector": {"matchLabels": {"app": "web"}}})


def _workloads(version, replicas):
    yield _object("apps/v1", "Deployment", "web", labels={"app": "web", **({"tier": "front"} if version == 1 else {})}, spec={
        **({} if replicas is None else {"replicas": replicas}), "selector": {"matchLabels": {"app": "web"}},
        "strategy": STRATEGY, "template": _pod("web", version, ports=[{"name": "http", "containerPort": 8080}], env=[
            {"name": "GREETING", "valueFrom": {"configMapKeyRef": {"name": "settings", "key": "greeting"}}},
            {"name": "OLD" if version == 1 else "NEW", "value": "1"}])})
    yield _object("apps/v1", "StatefulSet", "db", spec={
        "replicas": 1, "selector": {"matchLabels": {"app": "db"}}, "serviceName": "db", "updateStrategy": STRATEGY,
        "template": _pod("db", version), "volumeClaimTemplates": [{"metadata": {"name": "data"}, "spec": {
            "accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}}]})
    yield _object("apps/v1", "DaemonSet", "agent", spec={
        "selector": {"matchLabels": {"app": "agent"}}, "updateStrategy": STRATEGY, "template": _pod("agent", version)})
    yield _object("batch/v1", "CronJob", "report", spec={
        "schedule": "0 6 * * *" if version == 1 else "0 7 * * *", "jobTemplate": {"spec": {
            "template": {"spec": {**_pod("report", version)["spec"], "restartPolicy": "Never"}}}}})


def _pod(name, version, **container):
    return {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{
        "name": name, "image": f"example.com/{name}:{version}",
        "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}, **container}]}}
