{{/* What the server's pods and the test's pod have in common. */}}

{{- define "applyguard.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* Not empty if the server calls the API server, for which it needs its token. */}}
{{- define "applyguard.callsApiServer" -}}
{{- if and .Values.server.enabled (or .Values.lookup .Values.events.enabled (eq .Values.certs.mode "self")) -}}
true
{{- end -}}
{{- end -}}

{{- define "applyguard.podSecurity" -}}
serviceAccountName: {{ include "applyguard.serviceAccountName" . }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
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
