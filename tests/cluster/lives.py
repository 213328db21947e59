"""lives.py: the lives of objects without a fault, of each kind and by each tool: a scan must find nothing in them.

A life writes what it is about into a `Place`, whose objects have a name of their own.
"""

import json

from place import LAST_APPLIED, apply_set_id

STRATEGY = {"type": "RollingUpdate"}
HEALTHY = []


def healthy(weight):
    """Decorates a life: so many of them among the others."""
    def add(life):
        HEALTHY.extend([life] * weight)
        return life
    return add


# Manifests


def config(place, **data):
    return place.object("ConfigMap", data={"mode": "fast", "level": str(place.random.randrange(9)), **data})


def secret(place, **data):
    return place.object("Secret", type="Opaque", data={"password": "bmV2ZXItc2hvd24=", **data})


def template(name, image="example.com/web:1", **labels):
    return {"metadata": {"labels": {"app": name, **labels}}, "spec": {"containers": [{
        "name": "web", "image": image, "ports": [{"name": "http", "containerPort": 8080}],
        "env": [{"name": "MODE", "value": "fast"}], "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}}}]}}


def deployment(place, image="example.com/web:1", replicas=0, strategy=STRATEGY, **labels):
    return place.object("Deployment", {"labels": {"app": place.name}}, spec={
        **({} if replicas is None else {"replicas": replicas}), **({"strategy": strategy} if strategy else {}),
        "selector": {"matchLabels": {"app": place.name, **labels}}, "template": template(place.name, image, **labels)})


def stateful_set(place, strategy=STRATEGY):
    return place.object("StatefulSet", spec={
        "replicas": 0, "serviceName": place.name, **({"updateStrategy": strategy} if strategy else {}),
        "selector": {"matchLabels": {"app": place.name}}, "template": template(place.name)})


def service(place, *ports):
    return place.object("Service", spec={"clusterIP": "None", "selector": {"app": place.name}, "ports": list(ports) or [
        {"name": "http", "port": 80, "targetPort": "http"}]})


def autoscaler(place, least=2, target="Deployment"):
    return place.object("HorizontalPodAutoscaler", spec={
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": target, "name": place.name}, "minReplicas": least, "maxReplicas": 9,
        "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}]})


def others(place):
    """One of the kinds that need no more than they declare."""
    name = place.name
    return place.random.choice([
        lambda: place.object("ServiceAccount", automountServiceAccountToken=False),
        lambda: place.object("Role", rules=[{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list"]}]),
        lambda: place.object("RoleBinding", roleRef={"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": name},
                             subjects=[{"kind": "ServiceAccount", "name": name, "namespace": place.namespace}]),
        lambda: place.object("NetworkPolicy", spec={"podSelector": {"matchLabels": {"app": name}}, "policyTypes": ["Ingress"]}),
        lambda: place.object("PodDisruptionBudget", spec={"maxUnavailable": 1, "selector": {"matchLabels": {"app": name}}}),
        lambda: place.object("Ingress", spec={"rules": [{"host": f"{name}.example.com", "http": {"paths": [{
            "path": "/", "pathType": "Prefix", "backend": {"service": {"name": name, "port": {"name": "http"}}}}]}}]}),
        lambda: place.object("CronJob", spec={"schedule": "0 6 * * *", "suspend": True, "jobTemplate": {"spec": {"template": {"spec": {
            **template(name)["spec"], "restartPolicy": "Never"}}}}}),
        lambda: place.object("DaemonSet", spec={"selector": {"matchLabels": {"app": name}}, "updateStrategy": STRATEGY,
                                                "template": template(name)}),
        lambda: place.object("Widget", spec={"size": 3, "floors": [{"name": "first"}]}),
        lambda: service(place), lambda: config(place), lambda: secret(place)])()


def mark(manifest, **metadata):
    """With labels or annotations in addition."""
    for member, pairs in metadata.items():
        manifest["metadata"].setdefault(member, {}).update(pairs)
    return manifest


def release(place, manifest):
    """As Helm marks it."""
    return mark(manifest, labels={"app.kubernetes.io/managed-by": "Helm"}, annotations={
        "meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": place.namespace})


# Lives


@healthy(8)
def applied_server_side(place):
    manager = place.random.choice(["helm", "kubectl", "kustomize-controller", "argocd-controller", "Terraform", "timoni", "platform-pipeline"])
    manifest = others(place)
    place.apply(manager, release(place, manifest) if manager == "helm" else manifest)
    place.ready(manifest["kind"])


@healthy(1)
def nothing_but_a_name(place):
    """No field has an owner, so it has no managedFields."""
    place.apply("helm", place.object("ServiceAccount"))


@healthy(4)
def upgraded(place):
    place.apply("helm", release(place, config(place, old="1")))
    place.apply("helm", release(place, config(place, new="1")), is_new=False)
    place.ready("ConfigMap")


@healthy(3)
def workload_of_helm_4(place):
    place.apply("helm", release(place, deployment(place)))
    place.apply("helm", release(place, deployment(place, "example.com/web:2")), is_new=False)
    place.ready("Deployment")


@healthy(2)
def workload_of_helm_3(place):
    place.create("helm", release(place, deployment(place)))
    place.patch("helm", "Deployment", {"spec": {"template": {"spec": {"containers": [{"name": "web", "image": "example.com/web:2"}]}}}})
    place.migrates("Deployment")


@healthy(2)
def autoscaled_workload(place):
    """The manifest leaves the replicas to the autoscaler, which has scaled."""
    place.apply("kustomize-controller", deployment(place, replicas=None))
    place.apply("kustomize-controller", autoscaler(place, least=1))
    place.merge("kube-controller-manager", "Deployment", {"spec": {"replicas": 2}}, "/scale")
    place.ready("Deployment", "HorizontalPodAutoscaler")


@healthy(1)
def scaled_by_hand(place):
    place.apply("kubectl", deployment(place, replicas=None))
    place.merge("kubectl", "Deployment", {"spec": {"replicas": 2}}, "/scale")
    place.ready("Deployment")


@healthy(1)
def autoscaler_of_another(place):
    """It scales a StatefulSet that has the Deployment's name."""
    place.apply("helm", release(place, deployment(place, replicas=2)))
    place.apply("helm", release(place, autoscaler(place, target="StatefulSet")))
    place.ready("Deployment", "HorizontalPodAutoscaler")


@healthy(6)
def made_by_hand(place):
    """Nothing applies it, so whatever people do later is all there is."""
    manifest = place.random.choice([config, secret, service])(place)
    place.create("kubectl-create", manifest)
    place.merge("kubectl-label", manifest["kind"], {"metadata": {"labels": {"by": "hand"}}})
    place.merge("kubectl-edit", manifest["kind"], {"metadata": {"annotations": {"note": "by hand"}}})


@healthy(6)
def made_by_an_operator(place):
    manifest = place.random.choice([config, secret])(place)
    place.create("widget-operator", manifest)
    place.merge("widget-operator", manifest["kind"], {"metadata": {"annotations": {"example.com/hash": "1"}}})


@healthy(3)
def made_for_another(place):
    """With a controller reference, and the annotations of the owner, as operators copy them."""
    owner = place.named("owner")
    manifest = owner.object("Widget", spec={"size": 3})
    made = owner.apply_client_side(manifest)
    owner.migrates("Widget")
    reference = {"apiVersion": made["apiVersion"], "kind": "Widget", "name": owner.name, "uid": made["metadata"]["uid"], "controller": True}
    place.create("widget-operator", mark(
        place.object("ConfigMap", {"ownerReferences": [reference]}, data={"a": "1"}), annotations={LAST_APPLIED: json.dumps(manifest)}))


@healthy(5)
def applied_client_side(place):
    manifest = others(place)
    if manifest["kind"] == "Secret":
        manifest["data"] = {"password": ""}
    place.apply_client_side(manifest)
    place.migrates(manifest["kind"])


@healthy(1)
def synced_client_side(place):
    place.apply_client_side(mark(deployment(place), labels={"app.kubernetes.io/instance": "shop"}), manager="argocd-controller")
    place.migrates("Deployment")


@healthy(2)
def placeholder_in_last_applied(place):
    value = place.random.choice(["ENC[AES256_GCM,data:cuw=,iv:4,tag:9,type:str]", "${PASSWORD}", "op://vault/item/field"])
    place.apply_client_side(place.object("Secret", type="Opaque", stringData={"password": value}))
    place.migrates("Secret")


@healthy(2)
def two_tools_with_fields_of_their_own(place):
    place.apply("helm", release(place, config(place)))
    place.apply("platform-pipeline", place.object("ConfigMap", {"annotations": {"example.com/cost-centre": "7"}}), is_new=False)
    place.ready("ConfigMap")


@healthy(2)
def filled_by_a_controller(place):
    place.apply("kustomize-controller", place.object("Secret", type="Opaque"))
    place.merge("cert-manager-certificates-issuing", "Secret", {"data": {"tls.crt": "LQ=="}, "metadata": {"annotations": {
        "cert-manager.io/issuer-name": "ca"}}})
    place.ready("Secret")


@healthy(2)
def status_by_a_controller(place):
    place.apply("helm", release(place, place.object("Widget", spec={"size": 3})))
    place.merge("widget-operator", "Widget", {"status": {"phase": "Ready"}}, "/status")
    place.ready("Widget")


@healthy(1)
def conflict_resolved_by_force(place):
    place.apply("helm", release(place, deployment(place)))
    place.patch("kubectl-set", "Deployment", {"spec": {"template": {"spec": {"containers": [{"name": "web", "image": "example.com/web:9"}]}}}})
    place.apply("helm", release(place, deployment(place)), force=True, is_new=False)
    place.ready("Deployment")


@healthy(1)
def taken_field_that_the_manifest_may_lack(place):
    """managedFields do not show whether the chart still declares it."""
    place.apply("helm", release(place, deployment(place, replicas=2)))
    place.merge("kubectl", "Deployment", {"spec": {"replicas": 1}}, "/scale")
    place.ready("Deployment")


@healthy(1)
def reconcile_requested(place):
    place.apply("helm", release(place, config(place)))
    place.merge("kubectl-annotate", "ConfigMap", {"metadata": {"annotations": {
        "reconcile.fluxcd.io/requestedAt": "now", "kubernetes.io/change-cause": "a ticket"}}})
    place.ready("ConfigMap")


@healthy(1)
def large_but_below_the_limits(place):
    place.apply("helm", release(place, mark(config(place, **{f"key-{number:04}": "value" * 20 for number in range(900)}), annotations={
        "example.com/notes": "x" * 100_000})))
    place.ready("ConfigMap")


@healthy(1)
def apply_set(place):
    """Its parent lists the kind and the namespace of its member."""
    other = place.elsewhere()
    identity = apply_set_id(place.name, place.namespace)
    place.apply("kubectl-applyset", place.object("Secret", {
        "labels": {"applyset.kubernetes.io/id": identity}, "annotations": {
            "applyset.kubernetes.io/tooling": "kubectl/v1.36.3", "applyset.kubernetes.io/contains-group-kinds": "ConfigMap,Deployment.apps",
            "applyset.kubernetes.io/additional-namespaces": other.namespace}}))
    place.ready("Secret")
    for member in (place, other):
        member.apply("kubectl", mark(config(member), labels={"applyset.kubernetes.io/part-of": identity}))
        member.ready("ConfigMap")


@healthy(1)
def selectors_that_only_look_alike(place):
    """One of the labels differs, or an expression decides; or it is another namespace."""
    canary, set_based = place.named("canary"), place.named("set-based")
    for each, labels in ((place, {"track": "stable"}), (canary, {"track": "canary"})):
        manifest = deployment(each)
        manifest["spec"]["selector"] = {"matchLabels": {"group": place.name, **labels}}
        manifest["spec"]["template"]["metadata"]["labels"] = {"group": place.name, **labels}
        each.apply("helm", release(each, manifest))
        each.ready("Deployment")
    manifest = deployment(set_based)
    manifest["spec"]["selector"] = {"matchExpressions": [{"key": "group", "operator": "In", "values": [set_based.name]}]}
    manifest["spec"]["template"]["metadata"]["labels"] = {"group": set_based.name}
    set_based.apply("helm", release(set_based, manifest))
    set_based.ready("Deployment")
    twin = place.elsewhere()
    twin.apply("helm", release(twin, deployment(twin)))
    twin.ready("Deployment")


@healthy(1)
def being_deleted(place):
    place.apply("helm", release(place, deployment(place)))
    place.merge("widget-operator", "Deployment", {"metadata": {"finalizers": ["example.com/wait"]}})
    place.send("DELETE", f"{place.path('Deployment')}/{place.name}", None)
    place.ready("Deployment")


@healthy(1)
def restored_by_velero(place):
    manifest = config(place)
    place.apply_client_side(mark(manifest, labels={"velero.io/restore-name": "nightly"}), manager="velero-server")
