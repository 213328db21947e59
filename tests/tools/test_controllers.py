#!/usr/bin/env python3
"""kube-controller-manager: what it makes of, and writes into, what kubectl applied client-side and server-side."""

import bench
import installers
from application import application

WAYS = {"client-side": (), "server-side": ("--server-side",)}


class Controllers(bench.Bench):
    tool = "kube-controller-manager"
    plane_options = {"autoscaler_seconds": 1}

    def revisions(self, namespace):
        return len(self.get("controllerrevision", namespace))

    def test_normal_life(self):
        for way, flags in WAYS.items():
            name = f"shop-{way}"
            roles = {"cluster_roles": name, "empty_rules": way == "client-side"}
            with self.phase(f"{way}: a namespace"):
                self.kubectl("create", "namespace", name)
                self.wait_for(lambda name=name: self.get("configmap/kube-root-ca.crt", name), "its certificates")
            with self.phase(f"{way}: apply"):
                installers.kubectl(self, name, application(**roles), *flags)
                self.wait_for(lambda name=name: self.get("pod/db-0", name), "a StatefulSet's pod")
                self.wait_for(lambda name=name: self.revisions(name) == 2, "the revisions")
                self.wait_for(lambda name=name: self.get(f"clusterrole/{name}-all")["rules"], "the aggregation")
            for _ in range(3):
                with self.phase(f"{way}: apply the same"):
                    installers.kubectl(self, name, application(**roles), *flags)
                    self.wait_for(lambda name=name: self.get(f"clusterrole/{name}-all")["rules"], "the aggregation")
            with self.phase(f"{way}: apply a change"):
                installers.kubectl(self, name, application(2, **roles), *flags)
                self.wait_for(lambda name=name: self.revisions(name) == 4, "the new revisions")
                self.wait_for(lambda name=name: "watch" in str(self.get(f"clusterrole/{name}-all")["rules"]), "the aggregation")
            with self.phase(f"{way}: a job of a cron job"):
                self.kubectl("create", "job", "now", "--from=cronjob/report", namespace=name, user="alice")
                self.wait_for(lambda name=name: any(
                    each["metadata"].get("generateName") == "now-" for each in self.get("pod", name)), "its pod")
            with self.phase(f"{way}: orphans"):
                self.kubectl("delete", "deployment/web", "--cascade=orphan", namespace=name, user="alice")
                self.wait_for(lambda name=name: not any(
                    each["metadata"].get("ownerReferences") for each in self.get("replicaset", name)), "the orphans")


if __name__ == "__main__":
    bench.main()
