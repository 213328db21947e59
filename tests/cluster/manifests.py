"""manifests.py: random manifests that overlap in some fields and differ in others, and the CRD for some of them."""

from guarded import wait_until

WIDGETS = "widgets.cluster.applyguard.test"
WIDGET_SPEC = {
    "type": "object",
    "properties": {
        "size": {"type": "integer"},
        "ratio": {"type": "number"},
        "on": {"type": "boolean"},
        "intOrText": {"x-kubernetes-int-or-string": True},
        "nullable": {"type": "string", "nullable": True},
        "colours": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}},
        "numbers": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "integer"}},
        "ratios": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "number"}},
        "flags": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "boolean"}},
        "plain": {"type": "array", "items": {"type": "string"}},
        "atomic": {"type": "array", "x-kubernetes-list-type": "atomic", "items": {
            "type": "object", "properties": {"name": {"type": "string"}, "value": {"type": "string"}}}},
        "doors": {
            "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name", "floor"],
            "items": {
                "type": "object", "required": ["name"], "properties": {
                    "name": {"type": "string"},
                    "floor": {"type": "integer", "default": 0},
                    "colour": {"type": "string"},
                    "locked": {"type": "boolean", "default": False},
                    "keys": {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}}}},
        "rooms": {"type": "object", "additionalProperties": {
            "type": "object", "properties": {"beds": {"type": "integer"}, "view": {"type": "string"}}}},
        "whole": {"type": "object", "x-kubernetes-map-type": "atomic", "additionalProperties": {"type": "string"}},
        "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    },
}


def widget_definition(labels):
    """Two served versions that differ in name only."""
    def version(name, storage):
        return {
            "name": name, "served": True, "storage": storage, "subresources": {"status": {}, "scale": {
                "specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}},
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {
                "spec": WIDGET_SPEC, "status": {"type": "object", "properties": {
                    "size": {"type": "integer"}, "note": {"type": "string"}}}}}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": WIDGETS, "labels": labels},
        "spec": {
            "group": "cluster.applyguard.test", "scope": "Namespaced", "conversion": {"strategy": "None"},
            "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
            "versions": [version("v1", True), version("v2", False)]}}


def define_widgets(test_class, labels):
    """Creates the CRD for the tests of a class."""
    definitions, api = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", test_class.api
    # A control plane that is used again may still be deleting the last one.
    wait_until(
        lambda: api.request("POST", definitions, widget_definition(labels)).ok, timeout=60, what="the CRD's creation")
    test_class.addClassCleanup(api.request, "DELETE", f"{definitions}/{WIDGETS}")
    wait_until(
        lambda: all(api.request("GET", f"/apis/cluster.applyguard.test/{version}/widgets").ok for version in ("v1", "v2")),
        timeout=30, what="the CRD")


class Generator:
    """Draws manifests from a seeded random source."""

    def __init__(self, random):
        self.random = random

    def chance(self, probability):
        return self.random.random() < probability

    def pick(self, *choices):
        return self.random.choice(choices)

    def some(self, choices, least=0):
        return self.random.sample(choices, self.random.randint(least, len(choices)))

    def fields(self, probability=0.35, **makers):
        """Those fields that the dice choose, each made by its function."""
        return {name: make() for name, make in makers.items() if self.chance(probability)}

    def metadata(self, name):
        keys = ["team", "example.com/owner", "a.b.c/d-e_f", "x"]
        return {"name": name, **self.fields(
            labels=lambda: {key: self.pick("1", "b", "true") for key in self.some(keys)},
            annotations=lambda: {key: self.pick("", "text", 'q"uote', "ünï\n") for key in self.some(keys)},
            finalizers=lambda: self.some(["example.com/one", "example.com/two"]))}

    # Deployments

    def deployment(self, name):
        return {
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": self.metadata(name),
            "spec": {
                # Paused, so that no ReplicaSets are made of it.
                "paused": True, "selector": {"matchLabels": {"app": name}},
                "template": {
                    "metadata": {"labels": {"app": name, **self.fields(tier=lambda: self.pick("web", "db"))}},
                    "spec": self.pod()},
                **self.fields(
                    replicas=lambda: self.pick(0, 1, 3), minReadySeconds=lambda: self.pick(0, 5),
                    revisionHistoryLimit=lambda: self.pick(10, 3), strategy=self.strategy)}}

    def strategy(self):
        return self.pick(
            {"type": "RollingUpdate"}, {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": self.pick(1, "25%", "50%")}},
            {"rollingUpdate": {"maxUnavailable": self.pick(0, "25%")}})

    def pod(self):
        volumes = self.some(["data", "tmp", "config"])
        return {
            "containers": [self.container(name) for name in self.some(["nginx", "sidecar", "log"], least=1)],
            **({"volumes": [self.volume(name) for name in volumes]} if volumes else {}),
            **self.fields(
                0.25,
                initContainers=lambda: [self.container(name) for name in self.some(["init", "wait"])],
                nodeSelector=lambda: self.fields(0.7, disk=lambda: self.pick("ssd", "hdd"), zone=lambda: "a"),
                tolerations=lambda: [{"key": key, "operator": "Exists"} for key in self.some(["gpu", "spot"])],
                terminationGracePeriodSeconds=lambda: self.pick(30, 60),
                securityContext=lambda: self.fields(
                    0.6, runAsUser=lambda: self.pick(0, 1000), fsGroup=lambda: 2000,
                    supplementalGroups=lambda: self.some([1, 2])),
                imagePullSecrets=lambda: [{"name": name} for name in self.some(["one", "two"])],
                hostAliases=lambda: [
                    {"ip": ip, "hostnames": self.some(["a", "b"])} for ip in self.some(["10.0.0.1", "10.0.0.2"])],
                topologySpreadConstraints=lambda: [
                    {"topologyKey": "zone", "whenUnsatisfiable": when, "maxSkew": self.pick(1, 2)}
                    for when in self.some(["DoNotSchedule", "ScheduleAnyway"])],
                dnsConfig=lambda: {"nameservers": self.some(["1.1.1.1", "8.8.8.8"])},
                affinity=lambda: {"nodeAffinity": {"preferredDuringSchedulingIgnoredDuringExecution": [
                    {"weight": self.pick(1, 2), "preference": {"matchExpressions": [{"key": "a", "operator": "Exists"}]}}]}})}

    def container(self, name):
        image = {"image": self.pick("nginx:1.14", "nginx:1.22", "nginx")} if self.chance(0.9) else {}
        return {"name": name, **image, **self.fields(
            env=lambda: [self.variable(each) for each in self.some(["A", "B", "C_1"])],
            ports=lambda: [self.port(*each) for each in self.some([(80, None), (53, "UDP"), (53, "TCP"), (443, "TCP")])],
            args=lambda: self.some(["-v", "--all", "x"]),
            resources=lambda: self.fields(0.7, limits=self.quantities, requests=self.quantities),
            imagePullPolicy=lambda: self.pick("Always", "IfNotPresent"),
            readinessProbe=lambda: {
                "httpGet": {"path": self.pick("/", "/ready"), "port": self.pick(80, "http")},
                **self.fields(periodSeconds=lambda: self.pick(5, 10))},
            securityContext=lambda: self.fields(
                0.6, runAsNonRoot=lambda: self.pick(True, False),
                capabilities=lambda: {"drop": self.some(["ALL", "NET_RAW"])}),
            volumeMounts=lambda: [
                {"mountPath": f"/{each}", "name": each, **self.fields(readOnly=lambda: self.pick(True, False))}
                for each in self.some(["data", "tmp"])],
            envFrom=lambda: [{"configMapRef": {"name": self.pick("one", "two")}}])}

    def variable(self, name):
        if self.chance(0.2):
            return {"name": name, "valueFrom": {"fieldRef": {"fieldPath": self.pick("metadata.name", "metadata.uid")}}}
        return {"name": name, "value": self.pick("", "1", "two")}

    def port(self, number, protocol):
        return {
            "containerPort": number, **({"protocol": protocol} if protocol else {}),
            **self.fields(name=lambda: self.pick("http", "dns"), hostPort=lambda: number)}

    def quantities(self):
        return self.fields(
            0.8, cpu=lambda: self.pick("1", "1000m", "500m", 1), memory=lambda: self.pick("1Gi", "1024Mi", "64Mi"))

    def volume(self, name):
        return {"name": name, **self.pick(
            {"emptyDir": {}}, {"emptyDir": {"medium": "Memory"}}, {"emptyDir": {"sizeLimit": self.pick("1Gi", "1024Mi")}})}

    # Other kinds

    def service(self, name):
        numbers = self.some([(80, "TCP"), (53, "UDP"), (53, "TCP")], least=1)
        return {
            "apiVersion": "v1", "kind": "Service", "metadata": self.metadata(name),
            "spec": {
                "ports": [{
                    "name": f"{protocol.lower()}-{number}", "port": number, "protocol": protocol,
                    **self.fields(targetPort=lambda: self.pick(8080, "http"), appProtocol=lambda: self.pick("h2c", "http"))}
                    for number, protocol in numbers],
                **self.fields(
                    selector=lambda: {"app": self.pick("a", "b")}, type=lambda: self.pick("ClusterIP", "NodePort"),
                    externalIPs=lambda: self.some(["192.0.2.1", "192.0.2.2"]),
                    sessionAffinity=lambda: self.pick("None", "ClientIP"),
                    internalTrafficPolicy=lambda: self.pick("Cluster", "Local"))}}

    def config_map(self, name):
        keys = ["a", "b.yaml", "C_c", "d-e"]
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": self.metadata(name), **self.fields(
            0.7, data=lambda: {key: self.pick("", "1", "line\nline", "null") for key in self.some(keys)},
            binaryData=lambda: {key: self.pick("AAE=", "") for key in self.some(["bin", "blob"])})}

    def widget(self, name):
        return {
            "apiVersion": f"cluster.applyguard.test/{self.pick('v1', 'v1', 'v2')}", "kind": "Widget",
            # Finalizers would keep the CRD of a run from going before the next.
            "metadata": {key: value for key, value in self.metadata(name).items() if key != "finalizers"},
            "spec": self.fields(
                0.4,
                size=lambda: self.pick(0, 1, 7), ratio=lambda: self.pick(0.5, 1.5, 2), on=lambda: self.pick(True, False),
                intOrText=lambda: self.pick(1, "1", "25%"), nullable=lambda: self.pick(None, "", "x"),
                colours=lambda: self.some(["red", 'gr"een', "bl.ue", "ü"]), numbers=lambda: self.some([0, -1, 10**12]),
                ratios=lambda: self.some([0.5, 1, 2.25]), flags=lambda: self.some([True, False]),
                plain=lambda: self.some(["a", "b", "c"]),
                atomic=lambda: [{"name": each, "value": self.pick("1", "2")} for each in self.some(["a", "b"])],
                doors=lambda: [self.door(each) for each in self.some([("front", 0), ("front", 1), ("back", None)])],
                rooms=lambda: {each: self.fields(0.6, beds=lambda: self.pick(1, 2), view=lambda: self.pick("sea", "yard"))
                               for each in self.some(["12", "attic", "a.b[c]"])},
                whole=lambda: {each: self.pick("1", "2") for each in self.some(["k", "l"])},
                free=self.free)}

    def door(self, key):
        name, floor = key
        return {
            "name": name, **({} if floor is None else {"floor": floor}), **self.fields(
                0.4, colour=lambda: self.pick("red", "blue"), locked=lambda: self.pick(True, False),
                keys=lambda: self.some(["x", "y"]))}

    def free(self):
        return self.fields(
            0.5, text=lambda: self.pick("a", "b"), number=lambda: self.pick(1, 1.0, 2), list=lambda: self.some([1, "a", None]),
            map=lambda: self.fields(0.6, x=lambda: self.pick({}, {"y": 1}, 2), z=lambda: self.pick([], [{}])))
