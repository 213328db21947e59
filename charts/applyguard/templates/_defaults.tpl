{{/*
The values of values.yaml once more, for releases that have not got them: `helm upgrade --reuse-values` goes by the values of
the chart that was installed before, and knows no newer ones. Each template starts with applyguard.withDefaults.

Not here: `replicas`, which is absent where an autoscaler has it.
*/}}
{{- define "applyguard.defaults" -}}
global: {imageRegistry: ""}
nameOverride: ""
fullnameOverride: ""
commonLabels: {}
policy: |
  apiVersion: applyguard.io/v1
  kind: Policy
  profile: baseline
policyConfigMap: ""
shadowPolicy: ""
policyCheck: {enabled: true, timeoutSeconds: 240, podAnnotations: {}, podLabels: {}}
policyGuard: {enabled: false}
lookup: false
events: {enabled: false}
scan:
  enabled: false
  schedule: "17 3 * * *"
  kinds:
  - apiGroups: [""]
    resources: [configmaps, persistentvolumeclaims, replicationcontrollers, serviceaccounts, services]
  - apiGroups: [apps]
    resources: [daemonsets, deployments, replicasets, statefulsets]
  - apiGroups: [autoscaling]
    resources: [horizontalpodautoscalers]
  - apiGroups: [batch]
    resources: [cronjobs, jobs]
  - apiGroups: [networking.k8s.io]
    resources: [ingresses, networkpolicies]
  - apiGroups: [policy]
    resources: [poddisruptionbudgets]
  - apiGroups: [rbac.authorization.k8s.io]
    resources: [clusterrolebindings, clusterroles, rolebindings, roles]
  secrets: false
  policyReports: false
  rate: 20
  lists: 4
  report: {volume: {}}
  timeoutSeconds: 1800
  podAnnotations: {}
  podLabels: {}
ruleUrl: ""
webhook:
  defaultMode: warn
  failurePolicy: Ignore
  timeoutSeconds: 5
  excludedNamespaces: []
  namespaceSelector: {}
  rules:
  - apiGroups: [""]
    resources: [configmaps, persistentvolumeclaims, replicationcontrollers, secrets, serviceaccounts, services]
  - apiGroups: [apps]
    resources: [daemonsets, deployments, replicasets, statefulsets]
  - apiGroups: [autoscaling]
    resources: [horizontalpodautoscalers]
  - apiGroups: [batch]
    resources: [cronjobs, jobs]
  - apiGroups: [networking.k8s.io]
    resources: [ingresses, networkpolicies]
  - apiGroups: [policy]
    resources: [poddisruptionbudgets]
  - apiGroups: [rbac.authorization.k8s.io]
    resources: [rolebindings, roles]
  extraRules: []
  statusWrites: false
  clusterScoped:
    mode: "off"
    rules:
    - apiGroups: [apiextensions.k8s.io]
      resources: [customresourcedefinitions]
    - apiGroups: [rbac.authorization.k8s.io]
      resources: [clusterrolebindings, clusterroles]
    - apiGroups: [networking.k8s.io]
      resources: [ingressclasses]
    - apiGroups: [scheduling.k8s.io]
      resources: [priorityclasses]
    - apiGroups: [storage.k8s.io]
      resources: [storageclasses]
  objectSelector: {}
  matchConditions: []
  annotations: {}
  caBundle: ""
  url: ""
modeGuard: {enabled: false, groups: ["system:masters"]}
certs:
  mode: self
  self: {secretName: "", createSecret: true, key: ec, caValidity: 8760h, leafValidity: 168h, soak: 10m}
  secret: {name: ""}
  certManager: {issuerRef: {}, duration: 8760h, renewBefore: 720h, caDuration: 87600h}
server:
  enabled: true
  port: 8443
  healthPort: 9090
  threads: 0
  maxBodyBytes: 8388608
  maxConnections: 1024
  memoryLimit: ""
  drainDelaySeconds: 10
  gracePeriodSeconds: 30
  logFormat: json
  clientCA: {configMap: "", secret: "", key: ca.crt, names: []}
image: {repository: registry.example.com/path/applyguard, tag: "", digest: "", pullPolicy: IfNotPresent}
imagePullSecrets: []
extraArgs: []
extraEnv: []
updateStrategy: {}
resources: {requests: {cpu: 50m, memory: 32Mi}, limits: {memory: 256Mi}}
podSecurityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: {type: RuntimeDefault}
hostNetwork: false
dnsPolicy: ""
priorityClassName: ""
deploymentAnnotations: {}
podAnnotations: {}
podLabels: {}
nodeSelector: {}
tolerations: []
affinity: {}
topologySpreadConstraints: []
serviceAccount: {create: true, name: "", annotations: {}}
service: {annotations: {}}
podDisruptionBudget: {enabled: true, maxUnavailable: 1}
networkPolicy: {enabled: true, from: [], apiServer: {to: [], ports: [443, 6443, 8443, 16443]}}
metrics:
  enabled: false
  port: 9090
  from: []
  labels: []
  labelsMax: 200
  serviceMonitor:
    {enabled: false, namespace: "", labels: {}, interval: "", scrapeTimeout: "", relabelings: [], metricRelabelings: []}
  prometheusRule: {enabled: false, namespace: "", labels: {}}
  dashboard: {enabled: false, namespace: "", labels: {grafana_dashboard: "1"}, annotations: {}}
{{- end -}}

{{- define "applyguard.withDefaults" -}}
{{- include "applyguard.fill" (dict "values" .Values "defaults" (include "applyguard.defaults" . | fromYaml)) -}}
{{- end -}}

{{/*
Adds what is absent, in place, and says nothing. Some maps are defaults as a whole: users who give one without a key mean it
to be without.
*/}}
{{- define "applyguard.fill" -}}
{{- $values := .values -}}
{{- $whole := list "labels" "podSecurityContext" "resources" "volume" -}}
{{- range $key, $default := .defaults -}}
{{- if kindIs "invalid" (index $values $key) -}}
{{- $_ := set $values $key $default -}}
{{- else if and (kindIs "map" $default) (not (has $key $whole)) -}}
{{- include "applyguard.fill" (dict "values" (index $values $key) "defaults" $default) -}}
{{- end -}}
{{- end -}}
{{- end -}}
