{{/* Who pods run as, and what tells that their secrets changed. */}}

{{/* hapju.runAs: the user and group of a pod, where the cluster does not give them; takes the root. */}}
{{- define "hapju.runAs" -}}
runAsNonRoot: true
{{- with .Values.runAs.user }}
runAsUser: {{ int . }}
{{- end }}
{{- with .Values.runAs.group }}
runAsGroup: {{ int . }}
{{- end }}
{{- end -}}

{{- define "hapju.serviceAccount" -}}
{{ .process.serviceAccount.name | default (ternary .process.object "default" .process.serviceAccount.create) }}
{{- end -}}

{{- define "hapju.account" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "hapju.serviceAccount" . }}
  labels: {{- include "hapju.labels" . | nindent 4 }}
  {{- with .process.serviceAccount.annotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}

{{/*
hapju.secretsSum: changes with the data of the Secrets that a process is given, as far as Helm sees them, and with
secretsRevision, so that a changed Secret restarts those that read it and no other.
*/}}
{{- define "hapju.secretsSum" -}}
{{- $seen := list .root.Values.secretsRevision -}}
{{- range $variable := .process.secrets -}}
{{- with index $.root.Values.secrets $variable -}}
{{- $secret := lookup "v1" "Secret" $.root.Release.Namespace . -}}
{{- $seen = append $seen (dig "data" $variable "" $secret) -}}
{{- end -}}
{{- end -}}
{{ join "|" $seen | sha256sum | trunc 32 | quote }}
{{- end -}}
