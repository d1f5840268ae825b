{{/* The objects of one process; each takes a dict of root, name, process and processes. */}}

{{- define "hapju.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .process.object }}
  labels: {{- include "hapju.labels" . | nindent 4 }}
spec:
  {{- if not .process.autoscaling.enabled }}
  replicas: {{ int .process.replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy:
    {{- if .process.onVolume }}
    type: Recreate
    {{- else }}
    type: RollingUpdate
    rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
    {{- end }}
  selector:
    matchLabels: {{- include "hapju.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "hapju.podLabels" . | nindent 8 }}
        {{- with .process.podLabels }}{{ toYaml . | nindent 8 }}{{ end }}
      annotations:
        hapju/secrets: {{ include "hapju.secretsSum" . }}
        {{- with .process.podAnnotations }}{{ toYaml . | nindent 8 }}{{ end }}
    spec: {{- include "hapju.pod" . | nindent 6 }}
{{- end -}}

{{- define "hapju.pod" -}}
serviceAccountName: {{ include "hapju.serviceAccount" . }}
automountServiceAccountToken: false
# Kubernetes would set HAPJU_ROUTER_PORT and the like for each Service, which are no settings of hapju.
enableServiceLinks: false
terminationGracePeriodSeconds: {{ add (int .process.pauseSeconds) (int .process.drainSeconds) 10 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- range . }}
  - name: {{ . }}
{{- end }}
{{- end }}
securityContext:
  {{- include "hapju.runAs" .root | nindent 2 }}
  {{- with .root.Values.runAs.fsGroup }}
  fsGroup: {{ int . }}
  {{- end }}
  seccompProfile: {type: RuntimeDefault}
{{- if and .process.migrates .process.onVolume (not .root.Values.secrets.HAPJU_SQL_URL) }}
initContainers:
  - name: migrate
    command: [hapju, migrate, --sample={{ .root.Values.sampleData }}]
    {{- include "hapju.container" (merge (dict "resources" .root.Values.migrationResources) .) | nindent 4 }}
{{- end }}
containers:
  - name: {{ .process.label }}
    args: [{{ .process.module }}{{ if .process.agent }}, {{ .name }}{{ end }}]
    ports:
      - {name: grpc, containerPort: {{ int .process.port }}, protocol: TCP}
      {{- if int .process.httpPort }}
      - {name: http, containerPort: {{ int .process.httpPort }}, protocol: TCP}
      {{- end }}
      {{- if .root.Values.tls.enabled }}
      - {name: probe, containerPort: {{ int .root.Values.tls.probePort }}, protocol: TCP}
      {{- end }}
    # The empty name says that the process lives, the service's own name that it can work now: a peer or a database
    # that is away takes it out of DNS and never restarts it, not at its start either.
    {{- $probed := int (ternary .root.Values.tls.probePort .process.port .root.Values.tls.enabled) }}
    startupProbe:
      grpc: {port: {{ $probed }}, service: ""}
      periodSeconds: 2
      timeoutSeconds: 3
      failureThreshold: 60
    readinessProbe:
      grpc: {port: {{ $probed }}, service: {{ .name | quote }}}
      periodSeconds: 5
      timeoutSeconds: 3
      failureThreshold: 2
    livenessProbe:
      grpc: {port: {{ $probed }}, service: ""}
      periodSeconds: 10
      timeoutSeconds: 5
      failureThreshold: 3
    {{- if gt (int .process.pauseSeconds) 0 }}
    lifecycle:
      preStop:
        sleep: {seconds: {{ int .process.pauseSeconds }}}
    {{- end }}
    {{- include "hapju.container" . | nindent 4 }}
volumes:
  - name: tmp
    emptyDir: {sizeLimit: 64Mi}
  {{- if .process.onVolume }}
  - name: data
    persistentVolumeClaim: {claimName: {{ .process.object }}}
  {{- end }}
  {{- if .root.Values.tls.enabled }}
  - name: tls
    secret: {secretName: {{ include "hapju.tlsSecret" . }}, defaultMode: 0440}
  {{- end }}
{{- if gt (int (include "hapju.replicaCount" .process)) 1 }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "hapju.selector" . | nindent 8 }}
{{- end }}
{{- with .process.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .process.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .process.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "hapju.container" -}}
image: {{ include "hapju.image" . | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
env: {{- include "hapju.env" . | nindent 2 }}
{{- with .process.extraEnvFrom }}
envFrom: {{- toYaml . | nindent 2 }}
{{- end }}
resources: {{- toYaml (.resources | default .process.resources) | nindent 2 }}
volumeMounts:
  - {name: tmp, mountPath: /tmp}
  {{- if .process.onVolume }}
  - {name: data, mountPath: /var/lib/hapju}
  {{- end }}
  {{- if .root.Values.tls.enabled }}
  - {name: tls, mountPath: /etc/hapju/tls, readOnly: true}
  {{- end }}
{{- end -}}

{{/* hapju.image: by digest where one is given, else by tag; a process's own tag goes before both. */}}
{{- define "hapju.image" -}}
{{- $image := .root.Values.image -}}
{{- if and $image.digest (not .process.imageTag) -}}
{{ printf "%s@%s" $image.repository $image.digest }}
{{- else -}}
{{ printf "%s:%s" $image.repository (coalesce .process.imageTag $image.tag .root.Chart.AppVersion) }}
{{- end -}}
{{- end -}}

{{- define "hapju.env" -}}
{{- $ := . -}}
- {name: HAPJU_LISTEN, value: "0.0.0.0:{{ int .process.port }}"}
{{- if int .process.httpPort }}
- {name: HAPJU_HTTP_LISTEN, value: "0.0.0.0:{{ int .process.httpPort }}"}
{{- end }}
- {name: HAPJU_DATA_DIR, value: /var/lib/hapju}
- {name: HAPJU_CONNECTION_SECONDS_MAX, value: {{ int .process.connectionSeconds | toString | quote }}}
- {name: HAPJU_DRAIN_SECONDS_MAX, value: {{ int .process.drainSeconds | toString | quote }}}
{{- if .root.Values.tls.enabled }}
- {name: HAPJU_TLS_CERT, value: /etc/hapju/tls/tls.crt}
- {name: HAPJU_TLS_KEY, value: /etc/hapju/tls/tls.key}
- {name: HAPJU_TLS_CA, value: /etc/hapju/tls/ca.crt}
- {name: HAPJU_TLS_CLIENTS, value: {{ .root.Values.tls.clients }}}
- {name: HAPJU_PROBE_LISTEN, value: "0.0.0.0:{{ int .root.Values.tls.probePort }}"}
{{- end }}
{{- range $callee := .process.callees }}
{{- $peer := index $.processes $callee }}
- name: {{ $peer.variable }}
  value: {{ printf "dns:///%s.%s.svc.%s:%d" $peer.object $.root.Release.Namespace $.root.Values.clusterDomain (int $peer.port) }}
{{- end }}
{{- range $variable, $value := .process.given }}
{{- if ne ($value | toString) "" }}
{{- /* Helm reads each number as a float, which writes a million as 1e+06: no service takes that for a whole number. */}}
{{- $isWhole := and (kindIs "float64" $value) (eq ($value | int64 | float64) ($value | float64)) }}
- {name: {{ $variable }}, value: {{ ternary ($value | int64 | toString) ($value | toString) $isWhole | quote }}}
{{- end }}
{{- end }}
{{- range $variable := .process.secrets }}
{{- with index $.root.Values.secrets $variable }}
- name: {{ $variable }}
  valueFrom: {secretKeyRef: {name: {{ . }}, key: {{ $variable }}}}
{{- end }}
{{- end }}
- name: POD_NAME
  valueFrom: {fieldRef: {fieldPath: metadata.name}}
- name: OTEL_RESOURCE_ATTRIBUTES
  value: k8s.namespace.name={{ .root.Release.Namespace }},k8s.pod.name=$(POD_NAME)
{{- end -}}

{{- define "hapju.service" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .process.object }}
  labels: {{- include "hapju.labels" . | nindent 4 }}
spec:
  # Without an address of its own DNS names every replica, over which the clients spread their calls.
  clusterIP: None
  selector: {{- include "hapju.selector" . | nindent 4 }}
  ports:
    - {name: grpc, port: {{ int .process.port }}, targetPort: grpc, protocol: TCP, appProtocol: grpc}
{{- end -}}

{{- define "hapju.httpService" -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ .process.object }}-http
  labels: {{- include "hapju.labels" . | nindent 4 }}
spec:
  # Clients of HTTP do not spread their calls over replicas: this one has an address that does, for an Ingress to name.
  selector: {{- include "hapju.selector" . | nindent 4 }}
  ports:
    - {name: http, port: {{ int .process.httpPort }}, targetPort: http, protocol: TCP, appProtocol: {{ ternary "https" "http" .root.Values.tls.enabled }}}
{{- end -}}

{{- define "hapju.networkPolicy" -}}
{{- $ := . -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ .process.object }}
  labels: {{- include "hapju.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "hapju.selector" . | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- $callers := list }}
    {{- range $name, $process := .processes }}
    {{- if has $.name $process.callees }}{{ $callers = append $callers $process }}{{ end }}
    {{- end }}
    {{- if or $callers .process.public }}
    - ports: [{port: {{ int .process.port }}, protocol: TCP}]
      from:
        {{- range $callers }}
        - podSelector:
            matchLabels: {{- include "hapju.selector" (dict "root" $.root "process" .) | nindent 14 }}
        {{- end }}
        {{- if .process.public }}{{ toYaml .root.Values.network.clients | nindent 8 }}{{ end }}
    {{- else }} []
    {{- end }}
    {{- if int .process.httpPort }}
    - ports: [{port: {{ int .process.httpPort }}, protocol: TCP}]
      from: {{- toYaml .root.Values.network.httpClients | nindent 8 }}
    {{- end }}
  egress:
    - ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]
      to: {{- toYaml .root.Values.network.dns | nindent 8 }}
    {{- range .process.callees }}
    {{- $peer := index $.processes . }}
    - ports: [{port: {{ int $peer.port }}, protocol: TCP}]
      to:
        - podSelector:
            matchLabels: {{- include "hapju.selector" (dict "root" $.root "process" $peer) | nindent 14 }}
    {{- end }}
    {{- if .process.model }}{{ with .root.Values.network.model }}{{ toYaml . | nindent 4 }}{{ end }}{{ end }}
    {{- if .process.public }}{{ with .root.Values.network.identity }}{{ toYaml . | nindent 4 }}{{ end }}{{ end }}
    {{- if has "HAPJU_MCP_SERVERS" .process.secrets }}
    {{- if or (index .root.Values.secrets "HAPJU_MCP_SERVERS") (index .root.Values.secrets "HAPJU_A2A_AGENTS") }}{{ with .root.Values.network.servers }}{{ toYaml . | nindent 4 }}{{ end }}{{ end }}
    {{- range $variable, $way := include "hapju.ways" . | fromYaml }}
    {{- if index $.process.given $variable }}{{ with index $.root.Values.network $way }}{{ toYaml . | nindent 4 }}{{ end }}{{ end }}
    {{- end }}
    {{- end }}
    {{- if .process.databases }}{{ with .root.Values.network.databases }}{{ toYaml . | nindent 4 }}{{ end }}{{ end }}
    {{- if .root.Values.config.OTEL_EXPORTER_OTLP_ENDPOINT }}{{ with .root.Values.network.collector }}{{ toYaml . | nindent 4 }}{{ end }}{{ end }}
{{- end -}}

{{- define "hapju.disruptionBudget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .process.object }}
  labels: {{- include "hapju.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "hapju.selector" . | nindent 6 }}
{{- end -}}

{{- define "hapju.autoscaler" -}}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ .process.object }}
  labels: {{- include "hapju.labels" . | nindent 4 }}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: {{ .process.object }}}
  minReplicas: {{ int .process.autoscaling.minReplicas }}
  maxReplicas: {{ int .process.autoscaling.maxReplicas }}
  metrics:
    {{- with int .process.autoscaling.cpuUtilization }}
    - type: Resource
      resource:
        name: cpu
        target: {type: Utilization, averageUtilization: {{ . }}}
    {{- end }}
    {{- range $metric, $value := .process.autoscaling.pods }}
    - type: Pods
      pods:
        metric: {name: {{ $metric }}}
        target: {type: AverageValue, averageValue: {{ $value | toString | quote }}}
    {{- end }}
{{- end -}}

{{- define "hapju.volumeClaim" -}}
apiVersion: v1
kind: PersistentVolumeClaim
metadata:
  name: {{ .process.object }}
  labels: {{- include "hapju.labels" . | nindent 4 }}
  annotations:
    # The data outlives the release.
    helm.sh/resource-policy: keep
spec:
  accessModes: [ReadWriteOnce]
  {{- with .process.volume.storageClass }}
  storageClassName: {{ . }}
  {{- end }}
  resources: {requests: {storage: {{ .process.volume.size }}}}
{{- end -}}

{{/* hapju.tlsSecret: the Secret with the certificate of a process. */}}
{{- define "hapju.tlsSecret" -}}
{{ .root.Values.tls.secret | default (printf "%s-tls" .process.object) }}
{{- end -}}

{{- define "hapju.certificate" -}}
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: {{ .process.object }}
  labels: {{- include "hapju.labels" . | nindent 4 }}
spec:
  secretName: {{ include "hapju.tlsSecret" . }}
  duration: {{ .root.Values.tls.duration }}
  renewBefore: {{ .root.Values.tls.renewBefore }}
  privateKey: {algorithm: ECDSA, size: 256, rotationPolicy: Always}
  usages: [server auth, client auth]
  commonName: {{ .process.label }}
  dnsNames:
    - {{ printf "%s.%s.svc.%s" .process.object .root.Release.Namespace .root.Values.clusterDomain }}
    - {{ printf "%s.%s.svc" .process.object .root.Release.Namespace }}
    - {{ .process.object }}
    {{- if int .process.httpPort }}
    - {{ printf "%s-http.%s.svc.%s" .process.object .root.Release.Namespace .root.Values.clusterDomain }}
    - {{ printf "%s-http.%s.svc" .process.object .root.Release.Namespace }}
    - {{ .process.object }}-http
    {{- end }}
  issuerRef: {name: {{ .root.Values.tls.issuer.name }}, kind: {{ .root.Values.tls.issuer.kind }}, group: cert-manager.io}
{{- end -}}
