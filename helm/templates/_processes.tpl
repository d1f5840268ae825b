{{/*
hapju.processes: every service and agent, by catalog name, as YAML: its entry laid over the defaults, with what follows
from it (object, variable, callees, whether it needs a volume). What contradicts itself stops the rendering here.
*/}}
{{- define "hapju.processes" -}}
{{- $processes := dict -}}
{{- range $name, $entry := .Values.services -}}
{{- $_ := set $processes $name (mustMergeOverwrite (deepCopy $.Values.defaults) (dict "agent" false) ($entry | default dict)) -}}
{{- end -}}
{{- range $name, $entry := .Values.agents -}}
{{- $_ := set $processes $name (mustMergeOverwrite (deepCopy $.Values.defaults) (deepCopy $.Values.agentDefaults) (dict "agent" true) ($entry | default dict)) -}}
{{- end -}}
{{- range $name, $process := $processes -}}
{{- $label := $name | replace "." "-" | replace "_" "-" -}}
{{- $_ := set $process "label" (ternary (printf "agent-%s" $label) $label $process.agent) -}}
{{- $_ := set $process "object" (printf "%s-%s" $.Values.system $process.label) -}}
{{- $_ := set $process "variable" (printf "HAPJU_%s_ADDR" ($name | replace "." "_" | upper)) -}}
{{- $_ := set $process "callees" (ternary (concat $process.calls (keys $.Values.agents | sortAlpha)) $process.calls $process.callsAgents) -}}
{{- $_ := set $process "given" (mustMergeOverwrite (deepCopy $.Values.config) $process.env) -}}
{{- $missing := list -}}
{{- range $process.databases -}}
{{- if not (index $.Values.secrets .) -}}{{- $missing = append $missing . -}}{{- end -}}
{{- end -}}
{{- $_ := set $process "onVolume" (not (empty $missing)) -}}
{{- end -}}
{{- include "hapju.check" (dict "processes" $processes "values" .Values) -}}
{{- toYaml $processes -}}
{{- end -}}

{{/*
hapju.check: fails on a name that is none, and on settings that would lose or open something.
*/}}
{{- define "hapju.check" -}}
{{- $processes := .processes -}}
{{- $values := .values -}}
{{- range $values.only -}}
{{- if not (hasKey $processes .) -}}
{{- fail (printf "only: %q is no service or agent; known: %s" . (keys $processes | sortAlpha | join ", ")) -}}
{{- end -}}
{{- end -}}
{{- range $values.except -}}
{{- if not (hasKey $processes .) -}}
{{- fail (printf "except: %q is no service or agent; known: %s" . (keys $processes | sortAlpha | join ", ")) -}}
{{- end -}}
{{- end -}}
{{- range $name, $process := $processes -}}
{{- range $process.callees -}}
{{- if not (hasKey $processes .) -}}
{{- fail (printf "%s.calls: %q is no service or agent; known: %s" $name . (keys $processes | sortAlpha | join ", ")) -}}
{{- end -}}
{{- end -}}
{{- range concat $process.secrets $process.databases -}}
{{- if not (hasKey $values.secrets .) -}}
{{- fail (printf "%s.secrets: %q is not among secrets; known: %s" $name . (keys $values.secrets | sortAlpha | join ", ")) -}}
{{- end -}}
{{- end -}}
{{- range $process.databases -}}
{{- if not (has . $process.secrets) -}}
{{- fail (printf "%s.databases: %s must be among its secrets" $name .) -}}
{{- end -}}
{{- end -}}
{{- if not (has "HAPJU_CALLER_KEY" $process.secrets) -}}
{{- fail (printf "%s.secrets: HAPJU_CALLER_KEY is missing; without it no caller can be trusted" $name) -}}
{{- end -}}
{{- if and $process.onVolume (or (gt (int $process.replicas) 1) $process.autoscaling.enabled) -}}
{{- fail (printf "%s.replicas: its database is on a volume, which one process owns; name Secrets for %s to run more" $name (join ", " $process.databases)) -}}
{{- end -}}
{{- if and $values.network.policies (has "HAPJU_MCP_SERVERS" $process.secrets) -}}
{{- range $variable, $way := include "hapju.ways" . | fromYaml -}}
{{- if and (index $process.given $variable) (not (index $values.network $way)) -}}
{{- fail (printf "network.%s: %s is set, and no rule lets %s go there" $way $variable $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and (int $process.httpPort) (not $process.public) -}}
{{- fail (printf "%s.httpPort: only a process that is public serves HTTP" $name) -}}
{{- end -}}
{{- if gt (int $process.autoscaling.minReplicas) (int $process.autoscaling.maxReplicas) -}}
{{- fail (printf "%s.autoscaling: minReplicas is above maxReplicas" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* hapju.ways: the settings that name what the tool gateway goes to, each with the list under `network` that lets it. */}}
{{- define "hapju.ways" -}}
HAPJU_WEB_SEARCH_URL: search
HAPJU_PAYMENT_GATEWAY: payment
{{- end -}}

{{/*
hapju.released: the names of the processes that this release holds, as a JSON array. Where `only` names none, an agent of a
domain that HAPJU_DOMAINS leaves out is not among them: its process would find no such agent, and end.
*/}}
{{- define "hapju.released" -}}
{{- $domains := list -}}
{{- range splitList "," (.Values.config.HAPJU_DOMAINS | default "") -}}{{- with trim . -}}{{- $domains = append $domains . -}}{{- end -}}{{- end -}}
{{- $all := keys .Values.services -}}
{{- range keys .Values.agents -}}
{{- if or (empty $domains) (has (first (splitList "." .)) $domains) -}}{{- $all = append $all . -}}{{- end -}}
{{- end -}}
{{- $named := .Values.only | default $all | sortAlpha -}}
{{- $released := list -}}
{{- range $named -}}{{- if not (has . $.Values.except) -}}{{- $released = append $released . -}}{{- end -}}{{- end -}}
{{- toJson $released -}}
{{- end -}}

{{/* hapju.selector: what finds the pods of one process; takes a dict of root and process. */}}
{{- define "hapju.selector" -}}
app.kubernetes.io/name: {{ .process.label }}
app.kubernetes.io/part-of: {{ .root.Values.system }}
{{- end -}}

{{/*
hapju.podLabels: the labels of the pods. They bear no version: one that changed would restart every process when the
chart is upgraded for the sake of one.
*/}}
{{- define "hapju.podLabels" -}}
{{ include "hapju.selector" . }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ ternary "agent" "service" .process.agent }}
{{- end -}}

{{/* hapju.labels: the labels of each object of one process; takes a dict of root and process. */}}
{{- define "hapju.labels" -}}
{{ include "hapju.podLabels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{/* hapju.replicaCount: how many replicas there are at least; takes the process. */}}
{{- define "hapju.replicaCount" -}}
{{- ternary (int .autoscaling.minReplicas) (int .replicas) .autoscaling.enabled -}}
{{- end -}}
