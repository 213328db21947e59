"""A tree of manifests, as for a shop with many services, the same each time.

    manifests.py DIR [FILES [DOCUMENTS]]     writes it: 500 files of 10 documents each, if no numbers are given
"""
import itertools
import pathlib
import random
import sys
import textwrap

FILES, DOCUMENTS_OF_A_FILE = 500, 10

WORDS = ("billing cart catalog checkout customer delivery discount email fraud gateway image inventory ledger login mail media order "
         "payment price profile queue rating recommend refund report review search session shipping stock tax upload").split()


def labels(app, tier, indent):
    return textwrap.indent(f"app.kubernetes.io/name: {app}\napp.kubernetes.io/part-of: shop\ntier: {tier}", " " * indent).lstrip()


def probe(name, port, path):
    return f"""\
{name}:
  httpGet: {{path: {path}, port: {port}}}
  initialDelaySeconds: 5
  periodSeconds: 10
"""


def container(rng, app, port):
    environment = "".join(
        f"- name: {app.upper().replace('-', '_')}_{name}\n  value: \"{rng.randrange(10000)}\"\n"
        for name in rng.sample(["TIMEOUT_MS", "POOL_SIZE", "RETRIES", "CACHE_TTL", "BATCH", "LIMIT", "REGION"], rng.randrange(1, 6)))
    return f"""\
- name: {app}
  image: registry.example.com/shop/{app}:{rng.randrange(1, 5)}.{rng.randrange(30)}.{rng.randrange(10)}
  imagePullPolicy: IfNotPresent
  args: ["--port={port}", "--log-level=info"]
  ports:
  - name: http
    containerPort: {port}
    protocol: TCP
  env:
{textwrap.indent(environment, '  ')}\
  - name: DATABASE_PASSWORD
    valueFrom:
      secretKeyRef: {{name: {app}-database, key: password}}
  resources:
    requests: {{cpu: {rng.randrange(1, 10) * 50}m, memory: {rng.choice([64, 128, 256, 512])}Mi}}
    limits:
      memory: {rng.choice([1, 2, 4])}Gi
{textwrap.indent(probe('readinessProbe', 'http', '/ready') + probe('livenessProbe', 'http', '/live'), '  ')}\
  securityContext:
    allowPrivilegeEscalation: false
    readOnlyRootFilesystem: true
    capabilities:
      drop: [ALL]
  volumeMounts:
  - name: configuration
    mountPath: /etc/{app}
    readOnly: true
  - name: scratch
    mountPath: /tmp
"""


def pod(rng, app, port):
    return f"""\
serviceAccountName: {app}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
containers:
{container(rng, app, port)}\
volumes:
- name: configuration
  configMap: {{name: {app}}}
- name: scratch
  emptyDir: {{}}
"""


def workload(rng, app, tier, port):
    """A Deployment or a StatefulSet; without replicas, which the autoscaler sets."""
    is_stateful = rng.random() < 0.15
    more = f"  serviceName: {app}\n" if is_stateful else (
        "  strategy:\n    type: RollingUpdate\n    rollingUpdate: {maxSurge: 25%, maxUnavailable: 0}\n")
    return f"""\
apiVersion: apps/v1
kind: {'StatefulSet' if is_stateful else 'Deployment'}
metadata:
  name: {app}
  namespace: {tier}
  labels:
    {labels(app, tier, 4)}
spec:
{more}\
  selector:
    matchLabels:
      app.kubernetes.io/name: {app}
  template:
    metadata:
      labels:
        {labels(app, tier, 8)}
      annotations:
        prometheus.io/scrape: "true" # read by the old Prometheus
        prometheus.io/port: "{port}"
    spec:
{textwrap.indent(pod(rng, app, port), ' ' * 6)}""", "StatefulSet" if is_stateful else "Deployment"


def header(version, kind, app, tier):
    return (f"apiVersion: {version}\nkind: {kind}\nmetadata:\n  name: {app}\n  namespace: {tier}\n"
            f"  labels:\n    {labels(app, tier, 4)}\n")


def config_map(rng, app, tier):
    lines = "".join(f"{rng.choice(WORDS)}.{rng.choice(WORDS)}.{number} = {rng.randrange(1 << 20)}\n"
                    for number in range(rng.randrange(5, 60)))
    return (header("v1", "ConfigMap", app, tier) + f"data:\n  mode: \"{rng.choice(['on', 'off'])}\"\n"
            f"  {app}.properties: |\n{textwrap.indent(lines, '    ')}")


def autoscaler(rng, app, tier, kind):
    return header("autoscaling/v2", "HorizontalPodAutoscaler", app, tier) + f"""\
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: {kind}, name: {app}}}
  minReplicas: {rng.randrange(2, 5)}
  maxReplicas: {rng.randrange(5, 40)}
  metrics:
  - type: Resource
    resource:
      name: cpu
      target: {{type: Utilization, averageUtilization: {rng.randrange(50, 90)}}}
"""


def one_app(rng, number):
    app, port = f"{rng.choice(WORDS)}-{rng.choice(WORDS)}-{number}", rng.randrange(3000, 9000)
    tier = rng.choice(["frontend", "backend", "batch"])
    first, kind = workload(rng, app, tier, port)
    selector = f"{{app.kubernetes.io/name: {app}}}"
    return [
        first,
        header("v1", "Service", app, tier) +
        f"spec:\n  selector: {selector}\n  ports:\n  - name: http\n    port: 80\n    targetPort: http\n",
        header("v1", "ServiceAccount", app, tier) + "automountServiceAccountToken: false\n",
        config_map(rng, app, tier),
        autoscaler(rng, app, tier, kind),
        header("policy/v1", "PodDisruptionBudget", app, tier) +
        f"spec:\n  maxUnavailable: {rng.choice(['1', '25%'])}\n  selector:\n    matchLabels: {selector}\n",
        header("networking.k8s.io/v1", "NetworkPolicy", app, tier) +
        f"spec:\n  podSelector:\n    matchLabels: {selector}\n  policyTypes: [Ingress]\n  ingress:\n  - from:\n"
        f"    - namespaceSelector: {{}}\n    ports:\n    - protocol: TCP\n      port: {port}\n",
        header("networking.k8s.io/v1", "Ingress", app, tier) +
        f"spec:\n  ingressClassName: nginx\n  rules:\n  - host: {app}.example.com\n    http:\n      paths:\n      - path: /\n"
        f"        pathType: Prefix\n        backend:\n          service:\n            name: {app}\n            port: {{name: http}}\n",
        header("batch/v1", "CronJob", app, tier) +
        f"spec:\n  schedule: \"{rng.randrange(60)} {rng.randrange(24)} * * *\"\n  concurrencyPolicy: Forbid\n  jobTemplate:\n"
        "    spec:\n      backoffLimit: 2\n      template:\n        spec:\n          restartPolicy: OnFailure\n"
        f"          containers:\n          - name: clean\n            image: registry.example.com/shop/clean:1.{rng.randrange(9)}\n"
        "            args: [--older-than, 720h]\n",
        header("monitoring.coreos.com/v1", "ServiceMonitor", app, tier) +
        f"spec:\n  selector:\n    matchLabels: {selector}\n  endpoints:\n  - port: http\n    interval: {rng.choice([15, 30, 60])}s\n"]


def all_documents(rng):
    return itertools.chain.from_iterable(one_app(rng, number) for number in itertools.count())


def write_tree(folder, files=FILES, documents_of_a_file=DOCUMENTS_OF_A_FILE):
    documents = all_documents(random.Random(20))
    for number in range(files):
        file = folder / f"team-{number % 20:02}" / f"app-{number:05}.yaml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("# Written by hand; ask the team before you change it.\n" +
                        "---\n".join(itertools.islice(documents, documents_of_a_file)))


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    write_tree(pathlib.Path(sys.argv[1]), *map(int, sys.argv[2:]))
