{{/* What the webhooks of the configuration share; each takes (dict "root" $ "mode" MODE). */}}

{{/* Namespaces that nobody may wait for applyguard in, whatever their labels. */}}
{{- define "applyguard.excludedNamespaces" -}}
{{- concat (list "kube-system" "kube-public" "kube-node-lease" .Release.Namespace) .Values.webhook.excludedNamespaces | uniq | toJson -}}
{{- end -}}

{{- define "applyguard.clientConfig" -}}
{{- $webhook := .root.Values.webhook -}}
{{- $path := get (dict "enforce" "/validate" "warn" "/validate/warn" "audit" "/validate/audit" "policy" "/policy") .mode -}}
clientConfig:
  {{- if $webhook.url }}
  url: {{ printf "%s%s" (trimSuffix "/" $webhook.url) $path | quote }}
  {{- else }}
  service:
    namespace: {{ .root.Release.Namespace }}
    name: {{ include "applyguard.fullname" .root }}
    port: 443
    path: {{ $path }}
  {{- end }}
  {{- /* caBundle is only here when it is given: rendered empty, an upgrade would take it from whoever wrote it. */}}
  {{- with $webhook.caBundle }}
  caBundle: {{ b64enc . }}
  {{- end }}
{{- end -}}

{{/* The rules; (dict "rules" RULES "scope" SCOPE "statusWrites" BOOLEAN). */}}
{{- define "applyguard.rules" -}}
{{- $scope := .scope -}}
{{- $statusWrites := .statusWrites -}}
rules:
{{- range .rules }}
- apiGroups: {{ toJson .apiGroups }}
  apiVersions: ["*"]
  resources: {{ toJson .resources }}
  operations: [CREATE, UPDATE]
  scope: {{ $scope }}
{{- $statuses := list }}
{{- range .resources }}
{{- if not (contains "/" .) }}
{{- $statuses = append $statuses (printf "%s/status" .) }}
{{- end }}
{{- end }}
{{- if and $statusWrites $statuses }}
- apiGroups: {{ toJson .apiGroups }}
  apiVersions: ["*"]
  resources: {{ toJson $statuses }}
  operations: [UPDATE]
  scope: {{ $scope }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "applyguard.calling" -}}
{{- $webhook := .root.Values.webhook -}}
{{- with $webhook.objectSelector -}}
objectSelector:
  {{- toYaml . | nindent 2 }}
{{ end -}}
matchConditions:
# An API server that starts mends its own roles, and must not wait for a webhook that it may itself keep from running.
- name: not-by-the-api-server
  expression: request.userInfo.username != 'system:apiserver'
- name: not-by-a-node
  expression: "!(has(request.userInfo.groups) && 'system:nodes' in request.userInfo.groups)"
- name: not-a-replica-set-of-a-deployment
  expression: >-
    !(request.resource.group == 'apps' && request.resource.resource == 'replicasets' && request.userInfo.username in [
    'system:kube-controller-manager', 'system:serviceaccount:kube-system:deployment-controller',
    'system:serviceaccount:kube-system:replicaset-controller'])
# Helm keeps a megabyte at most in each, and writes them alone.
- name: not-a-release-of-helm
  expression: "!(request.resource.resource == 'secrets' && has(object.type) && object.type == 'helm.sh/release.v1')"
{{- if $webhook.statusWrites }}
# Controllers write a status often, and seldom anything else with it.
- name: not-a-status-alone
  expression: >-
    !has(request.subResource) || request.subResource != 'status' ||
    object.metadata.?labels != oldObject.metadata.?labels ||
    object.metadata.?annotations != oldObject.metadata.?annotations ||
    object.metadata.?finalizers != oldObject.metadata.?finalizers
{{- end }}
{{- with $webhook.matchConditions }}
{{ toYaml . }}
{{- end }}
failurePolicy: {{ if eq .mode "enforce" }}{{ $webhook.failurePolicy }}{{ else }}Ignore{{ end }}
matchPolicy: Equivalent
{{- /* An Event is one, and a dry run has none. */}}
sideEffects: {{ if .root.Values.events.enabled }}NoneOnDryRun{{ else }}None{{ end }}
timeoutSeconds: {{ $webhook.timeoutSeconds }}
admissionReviewVersions: [v1]
{{- end -}}
