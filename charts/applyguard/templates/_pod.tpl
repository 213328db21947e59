{{/* What the server's pods have in common with those that check the policy. */}}

{{/* The image without tag or digest. global.imageRegistry takes the place of the registry, if the repository begins with one. */}}
{{- define "applyguard.repository" -}}
{{- $repository := .Values.image.repository -}}
{{- with .Values.global.imageRegistry -}}
{{- printf "%s/%s" (trimSuffix "/" .) (regexReplaceAll "^(localhost|[^/]*[.:][^/]*)/" $repository "") -}}
{{- else -}}
{{- $repository -}}
{{- end -}}
{{- end -}}

{{- define "applyguard.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" (include "applyguard.repository" .) .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" (include "applyguard.repository" .) (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* The ConfigMap of the policy, which is the chart's own, or one that is there. */}}
{{- define "applyguard.policyConfigMap" -}}
{{- default (printf "%s-policy" (include "applyguard.fullname" .)) .Values.policyConfigMap -}}
{{- end -}}

{{/* Not empty if the server calls the API server, for which it needs its token. */}}
{{- define "applyguard.callsApiServer" -}}
{{- if and .Values.server.enabled (or .Values.lookup .Values.events.enabled (eq .Values.certs.mode "self")) -}}
true
{{- end -}}
{{- end -}}

{{- define "applyguard.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.podSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "applyguard.containerSecurity" -}}
image: {{ include "applyguard.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  capabilities:
    drop: [ALL]
  readOnlyRootFilesystem: true
  runAsNonRoot: true
{{- end -}}

{{/* A pod that checks the policy and ends; (dict "root" $ "volume" VOLUME), whose files are in VOLUME. */}}
{{- define "applyguard.policyCheck" -}}
{{- with .root -}}
{{- include "applyguard.podSecurity" . }}
restartPolicy: Never
containers:
- name: policy-check
  {{- include "applyguard.containerSecurity" . | nindent 2 }}
  args:
  - policy
  - check
  - /etc/applyguard/policy/policy.yaml
  {{- if .Values.shadowPolicy }}
  - /etc/applyguard/policy/shadow-policy.yaml
  {{- end }}
  # `kubectl describe pod` then says what is wrong.
  terminationMessagePolicy: FallbackToLogsOnError
  {{- with .Values.extraEnv }}
  env:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  resources:
    {{- toYaml .Values.resources | nindent 4 }}
  volumeMounts:
  - name: policy
    mountPath: /etc/applyguard/policy
    readOnly: true
volumes:
- name: policy
  {{- toYaml $.volume | nindent 2 }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* With hostNetwork a new pod may need the ports of an old one's node. */}}
{{- define "applyguard.updateStrategy" -}}
{{- if .Values.updateStrategy -}}
{{- toYaml .Values.updateStrategy -}}
{{- else -}}
type: RollingUpdate
rollingUpdate:
  maxSurge: {{ ternary 0 1 .Values.hostNetwork }}
  maxUnavailable: {{ ternary 1 0 .Values.hostNetwork }}
{{- end -}}
{{- end -}}

{{- define "applyguard.affinity" -}}
{{- if .Values.affinity -}}
{{- toYaml .Values.affinity -}}
{{- else -}}
podAntiAffinity:
  preferredDuringSchedulingIgnoredDuringExecution:
  - weight: 100
    podAffinityTerm:
      topologyKey: kubernetes.io/hostname
      labelSelector:
        matchLabels:
          {{- include "applyguard.selectorLabels" . | nindent 10 }}
{{- end -}}
{{- end -}}

{{- define "applyguard.topologySpreadConstraints" -}}
{{- if .Values.topologySpreadConstraints -}}
{{- toYaml .Values.topologySpreadConstraints -}}
{{- else -}}
{{- range $index, $key := list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
{{- if $index }}
{{ end -}}
- topologyKey: {{ $key }}
  maxSkew: 1
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "applyguard.selectorLabels" $ | nindent 6 }}
{{- end }}
{{- end -}}
{{- end -}}
