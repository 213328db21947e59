"""Writes to the subresource status, which the chart sends if its values ask for it: judged for their metadata alone."""

import guarded
from api import MERGE
from stage import stories

HEAD = "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"
FLUX = "apply --server-side --field-manager=kustomize-controller"
STATUS = {"status": {"loadBalancer": {"ingress": [{"ip": "10.1.2.3"}]}}}


def service(**metadata):
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web", "labels": {"team": "shop"}, **metadata},
            "spec": {"type": "LoadBalancer", "selector": {"app": "web"}, "ports": [{"port": 80}]}}


class StatusWrites(guarded.Guarded):
    policies = {"waivable": HEAD + "waivers: {rules: [ownership-conflict]}\n"}
    webhook = {"statusWrites": True}

    def patch(self, stage, body, user="alice", manager="kubectl-patch"):
        """The request of `kubectl patch --subresource=status`."""
        stage.when_sent(lambda api: api.request(
            "PATCH", f"{stage.path('services', 'web', 'v1')}/status", body, user=user, content_type=MERGE,
            fieldManager=manager), user=user)

    @stories("strict")
    def test_a_label_of_flux(self, stage):
        stage.given(FLUX, service())
        self.patch(stage, {"metadata": {"labels": {"team": "evil"}}, **STATUS})
        stage.then("ownership-conflict deny")

    @stories("strict", "waivable")
    def test_a_waiver(self, stage):
        stage.given(FLUX, service())
        self.patch(stage, {"metadata": {"annotations": {"applyguard.io/waive": "ownership-conflict"}}})
        stage.then("waiver audit" if stage.policy == "waivable" else "waiver warn")

    @stories("strict")
    def test_owners(self, stage):
        """The API server believes no managedFields that come through a subresource."""
        stage.given(FLUX, service())
        entries = stage.get("services", "web", "v1")["metadata"]["managedFields"]
        self.patch(stage, {"metadata": {"managedFields": [{}]}})
        stage.then(requests=0)
        self.assertEqual(stage.get("services", "web", "v1")["metadata"]["managedFields"], entries)

    @stories("strict")
    def test_a_controller(self, stage):
        """A write of more than a status is sent, and brings no finding; the status alone is not sent."""
        stage.given(FLUX, service())
        self.patch(stage, STATUS, user="operator", manager="lb-controller")
        stage.then(requests=0)
        self.patch(stage, {"metadata": {"annotations": {"example.com/lb": "public"}}, **STATUS}, user="operator",
                   manager="lb-controller")
        stage.then(requests=1)
        self.patch(stage, {"status": {"loadBalancer": {}}}, user="operator", manager="lb-controller")
        stage.then(requests=0)


if __name__ == "__main__":
    guarded.main()
