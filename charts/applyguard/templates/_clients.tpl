{{/* Who may ask, where that is checked: server.clientCA. */}}

{{/* Whether it is: not empty if so. */}}
{{- define "applyguard.checksClients" -}}
{{- with .Values.server.clientCA -}}
{{- or .configMap .secret -}}
{{- end -}}
{{- end -}}

{{- define "applyguard.clientFlags" -}}
- --client-ca=/etc/applyguard/clients/ca.crt
{{- range .Values.server.clientCA.names }}
- {{ printf "--client-name=%s" . | quote }}
{{- end }}
{{- end -}}

{{- define "applyguard.clientVolume" -}}
{{- with .Values.server.clientCA -}}
- name: clients
  {{- if .configMap }}
  configMap:
    name: {{ .configMap }}
  {{- else }}
  secret:
    secretName: {{ .secret }}
  {{- end }}
    defaultMode: 0440
    items:
    - key: {{ .key | quote }}
      path: ca.crt
{{- end -}}
{{- end -}}
