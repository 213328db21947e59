"""faults.py: each fault that a scan finds, as tools and people leave it, in one or more variants.

A variant writes its objects into a `Place`, and notes there what must be found. FAULTS has the variants by the rule or by the
part of the report that is about them.
"""

import collections
import json

from lives import autoscaler, config, deployment, mark, release, secret, service, stateful_set, template
from place import CLIENT_SIDE, LAST_APPLIED, apply_set_id

FAULTS = collections.defaultdict(list)
IMAGE = '.spec.template.spec.containers[name="web"].image'
PART_OF = "applyset.kubernetes.io/part-of"
MEMBERSHIP = f".metadata.labels.{PART_OF}"


def fault(name):
    """Decorates a variant of the fault: a rule's name, or another one."""
    def add(variant):
        FAULTS[name].append(variant)
        return variant
    return add


def set_image(place, image="example.com/web:hotfix"):
    place.patch("kubectl-set", "Deployment", {"spec": {"template": {"spec": {"containers": [{"name": "web", "image": image}]}}}})


# Leaks, and what the next apply fails on


@fault("last-applied-secret")
def secret_applied_client_side(place):
    place.apply_client_side(secret(place))
    place.finds("last-applied-secret", "Secret")
    place.migrates("Secret")


@fault("last-applied-secret")
def secret_left_behind_by_the_move_to_server_side(place):
    """As kubectl apply --server-side moves the fields that kubectl apply owned."""
    made = place.apply_client_side(secret(place))
    entries = made["metadata"]["managedFields"]
    entries[0].update(manager="kubectl", operation="Apply")
    del entries[0]["fieldsV1"]["f:metadata"]
    place.merge(CLIENT_SIDE, "Secret", {"metadata": {"managedFields": entries, "resourceVersion": made["metadata"]["resourceVersion"]}})
    place.apply("kubectl", secret(place), is_new=False)
    place.finds("last-applied-secret", "Secret")
    place.ready("Secret")


@fault("oversized-annotations")
def notes_in_an_annotation(place):
    place.apply("helm", release(place, mark(config(place), annotations={"example.com/notes": "x" * 140_000})))
    place.finds("oversized-annotations", "ConfigMap")
    place.ready("ConfigMap")


@fault("oversized-annotations")
def dashboard_applied_client_side(place):
    place.apply_client_side(config(place, dashboard="x" * 150_000))
    place.finds("oversized-annotations", "ConfigMap")
    place.migrates("ConfigMap")


@fault("next-conflict")
def image_of_a_release_set_by_hand(place):
    place.apply("helm", release(place, deployment(place)))
    set_image(place)
    place.finds("next-conflict", "Deployment", IMAGE)
    place.ready("Deployment")


@fault("next-conflict")
def value_of_a_person_taken_into_the_configuration(place):
    place.apply("Terraform", config(place))
    place.merge("kubectl-edit", "ConfigMap", {"data": {"mode": "slow"}})
    place.apply("Terraform", config(place, mode="slow"), is_new=False)
    place.finds("next-conflict", "ConfigMap", ".data.mode")
    place.ready("ConfigMap")


@fault("next-conflict")
def replicas_that_an_autoscaler_and_the_chart_agree_on(place):
    place.apply("helm", release(place, deployment(place, replicas=1)))
    place.merge("kube-controller-manager", "Deployment", {"spec": {"replicas": 2}}, "/scale")
    place.apply("helm", release(place, deployment(place, replicas=2)), is_new=False)
    place.finds("next-conflict", "Deployment", ".spec.replicas")
    place.ready("Deployment")


@fault("autoscaled-replicas")
def release_with_an_autoscaler(place):
    place.apply("helm", release(place, deployment(place, replicas=2)))
    place.apply("helm", release(place, autoscaler(place)))
    place.finds("autoscaled-replicas", "Deployment", ".spec.replicas")
    place.ready("Deployment", "HorizontalPodAutoscaler")


@fault("autoscaled-replicas")
def autoscaled_by_hand_and_applied_client_side(place):
    place.apply_client_side(deployment(place, replicas=2))
    place.create("kubectl-autoscale", autoscaler(place))
    place.finds("autoscaled-replicas", "Deployment", ".spec.replicas")
    place.migrates("Deployment")


@fault("autoscaled-replicas")
def scaled_by_keda(place):
    place.apply("kustomize-controller", deployment(place, replicas=2))
    place.apply("kustomize-controller", place.object("ScaledObject", spec={"scaleTargetRef": {"name": place.name}, "triggers": []}))
    place.finds("autoscaled-replicas", "Deployment", ".spec.replicas")
    place.ready("Deployment", "ScaledObject")


# Two tools


@fault("multiple-appliers")
def chart_also_synced_by_argocd(place):
    manifest = config(place)
    place.apply("helm", release(place, manifest))
    place.apply("argocd-controller", mark(manifest, annotations={
        "argocd.argoproj.io/tracking-id": f"shop:/ConfigMap:{place.namespace}/{place.name}"}), force=True, is_new=False)
    place.finds("multiple-appliers", "ConfigMap")
    place.ready("ConfigMap")


@fault("multiple-appliers")
def pipeline_beside_flux(place):
    place.apply("kustomize-controller", config(place))
    place.apply("platform-pipeline", config(place, mode="slow"), force=True, is_new=False)
    place.apply("kustomize-controller", config(place, mode="slow"), is_new=False, force=True)
    place.finds("multiple-appliers", "ConfigMap")
    place.ready("ConfigMap")


@fault("mixed-apply")
def installed_by_kubectl_then_by_helm(place):
    manifest = config(place)
    place.apply_client_side(manifest)
    place.apply("helm", release(place, manifest), is_new=False)
    place.finds("mixed-apply", "ConfigMap")
    place.migrates("ConfigMap")


@fault("mixed-apply")
def kubectl_after_helm(place):
    manifest = deployment(place)
    place.apply("helm", release(place, manifest))
    plain = deployment(place, "example.com/web:2")
    place.patch(CLIENT_SIDE, "Deployment", {"metadata": {"annotations": {LAST_APPLIED: json.dumps(plain)}}, "spec": {"template": {"spec": {
        "containers": [{"name": "web", "image": "example.com/web:2"}]}}}})
    place.apply("helm", release(place, plain), is_new=False)
    place.finds("mixed-apply", "Deployment")
    place.migrates("Deployment")


# What kubectl apply gets wrong


@fault("last-applied-missing")
def annotation_taken_off(place):
    place.apply_client_side(config(place))
    place.merge("kubectl-annotate", "ConfigMap", {"metadata": {"annotations": {LAST_APPLIED: None}}})
    place.finds("last-applied-missing", "ConfigMap")
    place.migrates("ConfigMap")


@fault("last-applied-invalid")
def annotation_that_is_no_json(place):
    place.apply("helm", release(place, config(place)))
    place.merge("kubectl-annotate", "ConfigMap", {"metadata": {"annotations": {LAST_APPLIED: "- no: json"}}})
    place.finds("last-applied-invalid", "ConfigMap")
    place.ready("ConfigMap")


@fault("last-applied-invalid")
def copy_of_an_exported_object(place):
    manifest = config(place)
    copied = mark(place.object("ConfigMap", data=manifest["data"]), annotations={
        LAST_APPLIED: json.dumps({**manifest, "metadata": {"name": "original", "namespace": place.namespace}})})
    place.create("kubectl-create", copied)
    place.finds("last-applied-invalid", "ConfigMap")


@fault("last-applied-runtime-fields")
def exported_object_applied(place):
    manifest = config(place)
    exported = {**manifest, "metadata": {**manifest["metadata"], "uid": "4b7a3c1e-1111-4222-8333-444455550006", "resourceVersion": "9",
                                         "creationTimestamp": "2026-01-10T08:00:00Z"}}
    place.apply_client_side(manifest, configuration=json.dumps(exported))
    place.finds("last-applied-runtime-fields", "ConfigMap", ".metadata.uid", ".metadata.resourceVersion", ".metadata.creationTimestamp")
    place.migrates("ConfigMap")


@fault("duplicate-list-key")
def variable_twice(place):
    manifest = deployment(place)
    manifest["spec"]["template"]["spec"]["containers"][0]["env"].append({"name": "MODE", "value": "slow"})
    place.apply_client_side(manifest)
    place.finds("duplicate-list-key", "Deployment", '.spec.template.spec.containers[name="web"].env[name="MODE"]')
    place.migrates("Deployment")


@fault("ambiguous-merge-key")
def port_of_two_protocols(place):
    place.apply_client_side(service(place, {"name": "dns", "port": 53, "protocol": "UDP"}, {"name": "dns-tcp", "port": 53, "protocol": "TCP"}))
    place.finds("ambiguous-merge-key", "Service")
    place.migrates("Service")


@fault("explicit-selector")
def controller_without_a_selector(place):
    place.apply_client_side(place.object("ReplicationController", spec={"replicas": 0, "template": template(place.name)}))
    place.finds("explicit-selector", "ReplicationController", ".spec.selector")
    place.migrates("ReplicationController")


@fault("explicit-strategy")
def release_without_a_strategy(place):
    place.apply("helm", release(place, deployment(place, strategy=None)))
    place.finds("explicit-strategy", "Deployment", ".spec.strategy.type")
    place.ready("Deployment")


@fault("explicit-strategy")
def sync_without_a_strategy(place):
    place.apply_client_side(stateful_set(place, strategy=None), manager="argocd-controller")
    place.finds("explicit-strategy", "StatefulSet", ".spec.updateStrategy.type")
    place.migrates("StatefulSet")


# What people set by hand


@fault("undone-change")
def key_added_to_what_flux_applies(place):
    place.apply("kustomize-controller", config(place))
    place.merge("kubectl-edit", "ConfigMap", {"data": {"extra": "1"}})
    place.finds("undone-change", "ConfigMap", ".data.extra")
    place.ready("ConfigMap")


@fault("undone-change")
def image_of_flux_set_by_hand(place):
    place.apply(place.random.choice(["kustomize-controller", "flux-operator", "timoni"]), deployment(place))
    set_image(place)
    place.finds("undone-change", "Deployment", IMAGE)
    place.ready("Deployment")


@fault("orphaned-fields")
def label_added_to_a_release(place):
    place.apply("helm", release(place, config(place)))
    place.merge("kubectl-label", "ConfigMap", {"metadata": {"labels": {"by": "hand"}}})
    place.finds("orphaned-fields", "ConfigMap", ".metadata.labels.by")
    place.stuck("ConfigMap")


@fault("orphaned-fields")
def variable_added_to_what_argocd_syncs(place):
    place.apply("argocd-controller", deployment(place))
    place.patch("kubectl-edit", "Deployment", {"spec": {"template": {"spec": {"containers": [{"name": "web", "env": [
        {"name": "DEBUG", "value": "1"}]}]}}}})
    place.finds("orphaned-fields", "Deployment", '.spec.template.spec.containers[name="web"].env[name="DEBUG"]')
    place.stuck("Deployment")


@fault("orphaned-fields")
def annotation_added_to_what_kubectl_applies(place):
    place.apply_client_side(config(place))
    place.merge("kubectl-annotate", "ConfigMap", {"metadata": {"annotations": {"note": "by hand"}}})
    place.finds("orphaned-fields", "ConfigMap", ".metadata.annotations.note")
    place.stuck("ConfigMap")


@fault("orphaned-fields")
def release_restarted_by_hand(place):
    """The leftover time does no harm, so the object is ready."""
    place.apply("helm", release(place, deployment(place)))
    place.merge("kubectl-rollout", "Deployment", {"spec": {"template": {"metadata": {"annotations": {
        "kubectl.kubernetes.io/restartedAt": "2026-01-10T08:00:00Z"}}}}})
    place.finds("orphaned-fields", "Deployment", ".spec.template.metadata.annotations.kubectl.kubernetes.io/restartedAt")
    place.ready("Deployment")


# managedFields


@fault("managedfields-health")
def a_name_for_each_run_of_a_script(place):
    place.create("kubectl-create", config(place))
    for number in range(12):
        place.merge(f"script-{number}", "ConfigMap", {"data": {f"run-{number}": "1"}})
    place.finds("managedfields-health", "ConfigMap")


@fault("managedfields-health")
def thousands_of_keys(place):
    place.apply("helm", release(place, config(place, **{f"key-{number:05}": "" for number in range(3000)})))
    place.finds("managedfields-health", "ConfigMap")
    place.ready("ConfigMap")


@fault("without managedFields")
def managed_fields_erased(place):
    place.create("kubectl-create", config(place))
    place.merge("kubectl-edit", "ConfigMap", {"metadata": {"managedFields": [{}]}})
    with place.expected.lock:
        place.expected.unowned.add((place.namespace, place.name))


@fault("versions that are not served")
def applied_in_a_version_that_goes(place):
    """Before the definition stops serving it; see Filling.fill."""
    place.apply("helm", {**place.object("Widget", spec={"size": 3}), "apiVersion": "example.com/v1beta1"})
    with place.expected.lock:
        place.expected.old_versions["example.com/v1beta1"] += 1


# Across objects


@fault("applyset")
def member_without_a_parent(place):
    place.apply("kubectl", mark(config(place), labels={PART_OF: apply_set_id(place.name, "lost")}))
    place.finds("applyset", "ConfigMap", MEMBERSHIP)
    place.ready("ConfigMap")


def parent(place, identity=None, tooling="kubectl/v1.36.3", kinds="ConfigMap"):
    place.apply("kubectl-applyset", place.object("Secret", {
        "labels": {"applyset.kubernetes.io/id": identity or apply_set_id(place.name, place.namespace)}, "annotations": {
            "applyset.kubernetes.io/tooling": tooling, "applyset.kubernetes.io/contains-group-kinds": kinds}}))
    place.ready("Secret")
    return apply_set_id(place.name, place.namespace)


@fault("applyset")
def parent_that_lists_other_kinds(place):
    identity = parent(place, kinds="Deployment.apps")
    place.apply("kubectl", mark(config(place), labels={PART_OF: identity}))
    place.finds("applyset", "ConfigMap", MEMBERSHIP)
    place.ready("ConfigMap")


@fault("applyset")
def member_in_another_namespace(place):
    identity, member = parent(place), place.elsewhere()
    member.apply("kubectl", mark(config(member), labels={PART_OF: identity}))
    member.finds("applyset", "ConfigMap", MEMBERSHIP)
    member.ready("ConfigMap")


@fault("applyset")
def label_that_is_no_id(place):
    place.apply("kubectl", mark(config(place), labels={PART_OF: "applyset-shop-v1"}))
    place.finds("applyset", "ConfigMap", MEMBERSHIP)
    place.ready("ConfigMap")


@fault("applyset")
def parent_with_the_id_of_another(place):
    parent(place, identity=apply_set_id("original", place.namespace + place.name))
    place.finds("applyset", "Secret", ".metadata.labels.applyset.kubernetes.io/id")


@fault("applyset")
def parent_of_no_tool(place):
    parent(place, tooling="kubectl")
    place.finds("applyset", "Secret", ".metadata.annotations.applyset.kubernetes.io/tooling")


@fault("overlapping selectors")
def copied_deployment(place):
    copied, manifest = place.named("copy"), deployment(place)
    for each in (place, copied):
        each.apply("helm", release(each, {**manifest, "metadata": {**manifest["metadata"], "name": each.name}}))
        each.ready("Deployment")
    place.overlaps("Deployment", copied, is_mutual=True)


@fault("overlapping selectors")
def canary_with_one_label_more(place):
    canary = place.named("canary")
    place.apply("helm", release(place, deployment(place)))
    manifest = deployment(canary, track="canary")
    manifest["spec"]["selector"]["matchLabels"]["app"] = manifest["spec"]["template"]["metadata"]["labels"]["app"] = place.name
    canary.apply("helm", release(canary, manifest))
    for each in (place, canary):
        each.ready("Deployment")
    place.overlaps("Deployment", canary, is_mutual=False)
