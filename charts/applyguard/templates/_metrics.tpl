{{/* What scrapers and dashboards need. */}}

{{/* Whether scrapers are let in: not empty if so. */}}
{{- define "applyguard.metricsAreOpen" -}}
{{- if and .Values.server.enabled (or .Values.metrics.enabled .Values.metrics.serviceMonitor.enabled) -}}
true
{{- end -}}
{{- end -}}

{{/* The metadata of an object that its reader finds by labels, perhaps in a namespace of the reader's: (root, values, suffix). */}}
{{- define "applyguard.foundByLabels" -}}
{{- $root := index . 0 -}}
{{- $values := index . 1 -}}
name: {{ include "applyguard.fullname" $root }}{{ index . 2 }}
namespace: {{ default $root.Release.Namespace $values.namespace }}
labels:
  {{- toYaml (merge (include "applyguard.labels" $root | fromYaml) $values.labels) | nindent 2 }}
{{- end -}}

{{/* The alerts, of this release alone: see monitoring/alerts.yaml. */}}
{{- define "applyguard.alerts" -}}
{{- $name := include "applyguard.fullname" . -}}
{{- $namespace := printf "namespace=\"%s\"" .Release.Namespace -}}
{{- $job := printf "job=\"%s\",%s" $name $namespace -}}
{{- $deployment := printf "deployment=\"%s\",%s" $name $namespace -}}
{{- $alerts := regexReplaceAll "(?m)^ *#.*\n" (.Files.Get "monitoring/alerts.yaml") "" -}}
{{- $alerts
  | replace "job=\"applyguard\"" $job
  | replace "deployment=\"applyguard\"" $deployment
  | replace "0.5 * 5" (printf "0.5 * %d" (int .Values.webhook.timeoutSeconds)) -}}
{{- end -}}
