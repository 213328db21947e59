{{/* How the server comes by its certificate. */}}

{{/* Whether it makes its certificates itself: not empty if so. */}}
{{- define "applyguard.makesCertificates" -}}
{{- if and .Values.server.enabled (eq .Values.certs.mode "self") -}}
true
{{- end -}}
{{- end -}}

{{/* The Secret that the server keeps its authority in. */}}
{{- define "applyguard.authoritySecret" -}}
{{- default (printf "%s-ca" (include "applyguard.fullname" .)) .Values.certs.self.secretName -}}
{{- end -}}

{{/* The Secret in which another program keeps the certificate. */}}
{{- define "applyguard.certificateSecret" -}}
{{- $default := printf "%s-tls" (include "applyguard.fullname" .) -}}
{{- if eq .Values.certs.mode "secret" -}}
{{- default $default .Values.certs.secret.name -}}
{{- else -}}
{{- $default -}}
{{- end -}}
{{- end -}}

{{/* By which the API server calls besides the Service's name: the host of webhook.url. */}}
{{- define "applyguard.urlHost" -}}
{{- with .Values.webhook.url -}}
{{- (urlParse .).hostname -}}
{{- end -}}
{{- end -}}

{{/* Whether that is an IP address: not empty if so. */}}
{{- define "applyguard.urlHostIsAddress" -}}
{{- $host := include "applyguard.urlHost" . -}}
{{- if or (contains ":" $host) (regexMatch "^[0-9.]+$" $host) -}}
true
{{- end -}}
{{- end -}}

{{- /* caLife and leafLife are former names. */ -}}
{{- define "applyguard.caValidity" -}}
{{- .Values.certs.self.caLife | default .Values.certs.self.caValidity -}}
{{- end -}}

{{- define "applyguard.leafValidity" -}}
{{- .Values.certs.self.leafLife | default .Values.certs.self.leafValidity -}}
{{- end -}}

{{- define "applyguard.certificateFlags" -}}
{{- if include "applyguard.makesCertificates" . -}}
{{- $name := include "applyguard.fullname" . -}}
{{- $self := .Values.certs.self -}}
- --certs-secret={{ .Release.Namespace }}/{{ include "applyguard.authoritySecret" . }}
- --certs-configuration={{ $name }}
- --certs-service={{ $name }}
{{- with include "applyguard.urlHost" . }}
- --certs-{{ if include "applyguard.urlHostIsAddress" $ }}ip{{ else }}dns{{ end }}={{ . }}
{{- end }}
- --certs-key={{ $self.key }}
- --certs-ca-validity={{ include "applyguard.caValidity" . }}
- --certs-leaf-validity={{ include "applyguard.leafValidity" . }}
- --certs-soak={{ $self.soak }}
{{- else -}}
- --tls-cert=/etc/applyguard/certificate/tls.crt
- --tls-key=/etc/applyguard/certificate/tls.key
{{- end }}
{{- end -}}

{{- define "applyguard.certificateMount" -}}
{{- if not (include "applyguard.makesCertificates" .) -}}
- name: certificate
  mountPath: /etc/applyguard/certificate
  readOnly: true
{{- end }}
{{- end -}}

{{/* Files are readable by the group of the pod's fsGroup alone. */}}
{{- define "applyguard.certificateVolume" -}}
{{- if not (include "applyguard.makesCertificates" .) -}}
- name: certificate
  secret:
    secretName: {{ include "applyguard.certificateSecret" . }}
    defaultMode: 0440
    items:
    - key: tls.crt
      path: tls.crt
    - key: tls.key
      path: tls.key
{{- end }}
{{- end -}}

{{- define "applyguard.apiAccessMount" -}}
{{- if include "applyguard.callsApiServer" . -}}
- name: api-access
  mountPath: /var/run/secrets/kubernetes.io/serviceaccount
  readOnly: true
{{- end }}
{{- end -}}

{{/* What automountServiceAccountToken would mount, for this container and an hour at a time. */}}
{{- define "applyguard.apiAccessVolume" -}}
{{- if include "applyguard.callsApiServer" . -}}
{{- include "applyguard.tokenVolume" . }}
{{- end }}
{{- end -}}

{{- define "applyguard.tokenVolume" -}}
- name: api-access
  projected:
    defaultMode: 0440
    sources:
    - serviceAccountToken:
        path: token
        expirationSeconds: 3600
    - configMap:
        name: kube-root-ca.crt
        items:
        - key: ca.crt
          path: ca.crt
    - downwardAPI:
        items:
        - path: namespace
          fieldRef:
            apiVersion: v1
            fieldPath: metadata.namespace
{{- end -}}
