{{/* The names and labels of the objects. */}}

{{- define "applyguard.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{/* At most 50 characters, which leaves room for suffixes. */}}
{{- define "applyguard.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "applyguard.name" . -}}
{{- if contains $name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "applyguard.selectorLabels" -}}
app.kubernetes.io/name: {{ include "applyguard.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "applyguard.ownLabels" -}}
{{ include "applyguard.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end -}}

{{/* The chart's own labels win over those of the values: selectors depend on them. */}}
{{- define "applyguard.labels" -}}
{{- toYaml (merge (include "applyguard.ownLabels" . | fromYaml) .Values.commonLabels) -}}
{{- end -}}

{{/* Without the chart's version: a change of the chart alone need not replace pods. */}}
{{- define "applyguard.podLabels" -}}
{{- $own := include "applyguard.selectorLabels" . | fromYaml -}}
{{- $_ := set $own "app.kubernetes.io/version" .Chart.AppVersion -}}
{{- toYaml (merge $own .Values.podLabels .Values.commonLabels) -}}
{{- end -}}

{{- define "applyguard.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "applyguard.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}
