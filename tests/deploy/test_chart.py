"""The chart: valid objects, safe pods, true probes, values that count as stated, and clear refusals."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import helm_python
import kubernetes_validate
import pytest
import yaml

from services.catalog.topology import topology
from tests.deploy.manifests import ROOT, Object, Render, environment_of, kind_of

KUBERNETES = tuple(version for version in kubernetes_validate.utils.all_versions() if version.split(".") >= ["1", "29"])
"""Every version that the chart is for and whose schemas are here: pods pause before they stop since 1.29."""
FOREIGN = frozenset({"cert-manager.io/v1", "gateway.networking.k8s.io/v1", "monitoring.coreos.com/v1"})
"""Whose objects Kubernetes' own schemas do not know."""
CASES = sorted((ROOT / "helm" / "ci").glob("*-values.yaml"))


def case(name: str) -> Object:
    """Returns one of the chart's ci values files."""
    read: Object = yaml.safe_load((ROOT / "helm" / "ci" / f"{name}-values.yaml").read_text(encoding="utf-8"))
    return read


def pod(objects: list[Object], name: str) -> Object:
    """Returns the pod of the deployment of that name."""
    found: Object = kind_of(objects, "Deployment")[name]["spec"]["template"]["spec"]
    return found


def containers(objects: list[Object]) -> list[Object]:
    """Returns every container of every pod, the initial ones included."""
    workloads = (*kind_of(objects, "Deployment").values(), *kind_of(objects, "Job").values())
    pods = [one["spec"]["template"]["spec"] for one in workloads]
    return [container for one in pods for container in (*one.get("initContainers", ()), *one["containers"])]


@pytest.fixture(scope="module")
def schemas() -> Iterator[None]:
    """Read each schema once: by itself the library reads a version's whole set for every object."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kubernetes_validate.utils, "schema_contents", cache(kubernetes_validate.utils.schema_contents))
        yield


def test_kinds_of_deployments_and_versions_are_those_promised() -> None:
    """Eight kinds of values are held against every version from 1.29 to 1.34, and against later ones."""
    assert len(CASES) == 8
    assert {f"1.{minor}" for minor in range(29, 35)} <= {version.rpartition(".")[0] for version in KUBERNETES}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "versions",
    [
        pytest.param((KUBERNETES[0], KUBERNETES[-1]), id="the first and the last"),
        pytest.param(KUBERNETES, id="all", marks=pytest.mark.long),
    ],
)
@pytest.mark.usefixtures("schemas")
def test_each_object_is_valid(render: Render, path: Path, versions: tuple[str, ...]) -> None:
    """Each version's own schemas take each object, unknown fields being errors, and no two share a name."""
    objects = render(yaml.safe_load(path.read_text(encoding="utf-8")))
    for one in objects:
        for version in versions if one["apiVersion"] not in FOREIGN else ():
            kubernetes_validate.validate(one, version, strict=True)
    names = [(one["kind"], one["metadata"]["name"]) for one in objects]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_pods_run_with_least_privilege(render: Render, path: Path) -> None:
    """No root, no writable root file system, no capability, no token, no injected variables, bounded memory."""
    objects = render(yaml.safe_load(path.read_text(encoding="utf-8")))
    for one in kind_of(objects, "Deployment").values():
        spec = one["spec"]["template"]["spec"]
        assert spec["enableServiceLinks"] is False
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert spec["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    expected = {"allowPrivilegeEscalation": False, "readOnlyRootFilesystem": True, "capabilities": {"drop": ["ALL"]}}
    for container in containers(objects):
        assert expected == container["securityContext"]
        assert "memory" in container["resources"]["limits"]


def test_probes_are_native_and_ask_for_the_right_name(render: Render) -> None:
    """Readiness asks for the service's own name, life and start for the empty one, over gRPC."""
    objects = render()
    for process in topology().processes.values():
        (container,) = pod(objects, f"hapju-{process.kubernetes_name}")["containers"]
        asked = {name: container[f"{name}Probe"]["grpc"] for name in ("startup", "liveness", "readiness")}
        alive = {"port": process.port, "service": ""}
        expected = {"startup": alive, "liveness": alive, "readiness": {"port": process.port, "service": process.name}}
        assert expected == asked


def test_a_stop_leaves_time_for_the_pause_and_the_drain(render: Render) -> None:
    """The grace period holds the pause, the drain that the process is told, and what the exporters take."""
    spec = pod(render({"defaults": {"drainSeconds": 60, "pauseSeconds": 7}}), "hapju-router")
    (container,) = spec["containers"]
    assert environment_of(container)["HAPJU_DRAIN_SECONDS_MAX"] == "60"
    assert container["lifecycle"]["preStop"]["sleep"]["seconds"] == 7
    assert spec["terminationGracePeriodSeconds"] == 77
    at_once = pod(render({"defaults": {"pauseSeconds": 0}}), "hapju-router")
    assert "lifecycle" not in at_once["containers"][0]


def test_zero_and_false_are_values(render: Render) -> None:
    """An entry's 0 and false go before the defaults' other values."""
    objects = render(
        {
            "defaults": {"replicas": 2, "autoscaling": {"enabled": True}},
            "secrets": {"HAPJU_STORE_URL": "s", "HAPJU_SQL_URL": "s", "HAPJU_GRAPH_URL": "s"},
            "services": {"planner": {"replicas": 0, "autoscaling": {"enabled": False}}},
        },
    )
    assert kind_of(objects, "Deployment")["hapju-planner"]["spec"]["replicas"] == 0
    assert "hapju-planner" not in kind_of(objects, "HorizontalPodAutoscaler")
    assert "hapju-planner" not in kind_of(objects, "PodDisruptionBudget")


def test_production_scales_and_keeps_a_budget(render: Render) -> None:
    """With databases outside every process may have replicas, each with a budget; the autoscaler owns its count."""
    objects = render(case("production"))
    deployed, budgets = kind_of(objects, "Deployment"), kind_of(objects, "PodDisruptionBudget")
    assert "replicas" not in deployed["hapju-router"]["spec"]
    assert list(kind_of(objects, "HorizontalPodAutoscaler")) == ["hapju-router"]
    assert set(deployed) - {"hapju-agent-commerce-product-search"} == set(budgets)
    assert {"RollingUpdate"} == {one["spec"]["strategy"]["type"] for one in deployed.values()}
    assert kind_of(objects, "PersistentVolumeClaim") == {}
    assert "initContainers" not in pod(objects, "hapju-tool-gateway")
    images = {name: pod(objects, name)["containers"][0]["image"] for name in ("hapju-router", "hapju-planner")}
    expected = {
        "hapju-router": "registry.example.com/hapju:1.2.4",
        "hapju-planner": "registry.example.com/hapju:1.2.3",
    }
    assert expected == images


def test_embedded_databases_have_one_owner_and_a_volume(render: Render) -> None:
    """As shipped, the flow store and the data lie on a volume each, which its one pod gives up before the next."""
    objects = render()
    owners = {"hapju-orchestrator", "hapju-tool-gateway"}
    assert owners == set(kind_of(objects, "PersistentVolumeClaim"))
    recreated = {
        name
        for name, one in kind_of(objects, "Deployment").items()
        if one["spec"]["strategy"]["type"] == "Recreate" and one["spec"]["replicas"] == 1
    }
    assert owners == recreated
    (seed,) = pod(objects, "hapju-tool-gateway")["initContainers"]
    assert seed["command"] == ["hapju", "migrate", "--sample=embedded"]
    assert {"name": "data", "mountPath": "/var/lib/hapju"} in seed["volumeMounts"]


def test_databases_outside_are_brought_up_by_one_job_before_all(render: Render) -> None:
    """Production's databases get this version's schema by a hook, no sample row unless asked, and no init container."""
    objects = render(case("production"))
    (job,) = kind_of(objects, "Job").values()
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    spec = job["spec"]["template"]["spec"]
    assert spec["containers"][0]["command"] == ["hapju", "migrate", "--wait=600", "--sample=never"]
    environment = environment_of(spec["containers"][0])
    secrets = {name: one["secretKeyRef"]["name"] for name, one in environment.items() if isinstance(one, dict)}
    assert secrets == {"HAPJU_STORE_URL": "hapju-store", "HAPJU_SQL_URL": "hapju-data", "HAPJU_GRAPH_URL": "hapju-data"}
    assert environment["HAPJU_DOMAINS"] == case("production")["config"]["HAPJU_DOMAINS"]
    assert not any(pod(objects, name).get("initContainers") for name in kind_of(objects, "Deployment"))
    policy = kind_of(objects, "NetworkPolicy")["hapju-migrate"]["spec"]
    assert policy["podSelector"]["matchLabels"].items() <= job["spec"]["template"]["metadata"]["labels"].items()
    asked = render({**case("production"), "sampleData": "always"})
    assert "--sample=always" in str(kind_of(asked, "Job"))


def test_without_databases_outside_there_is_no_job(render: Render) -> None:
    """As shipped, and where a release holds neither owner of a database, nothing has to be brought up by a Job."""
    assert kind_of(render(), "Job") == {}
    assert kind_of(render({**case("production"), "only": ["router"]}), "Job") == {}


def test_agents_of_domains_that_are_not_enabled_are_not_run(render: Render) -> None:
    """Their processes would find no such agent and end, again and again; one that `only` names is run all the same."""
    domains = {"config": {"HAPJU_DOMAINS": "finance, general"}}
    agents = {name for name in kind_of(render(domains), "Deployment") if "-agent-" in name}
    assert {name.split("-")[2] for name in agents} == {"finance", "general"}
    assert set(kind_of(render(), "Deployment")) > agents
    alone = render({**domains, "only": ["realty.search"]})
    assert set(kind_of(alone, "Deployment")) == {"hapju-agent-realty-search"}


def test_one_service_can_be_a_release_of_its_own(render: Render) -> None:
    """`only` holds just that service's objects, equal to those of a whole release, so that both find each other."""
    alone, whole = render(case("only")), render()
    assert {"hapju-router"} == {one["metadata"]["name"] for one in alone}
    assert [one for one in whole if one["metadata"]["name"] == "hapju-router"] == alone


def test_an_image_tag_of_its_own_changes_one_service(render: Render) -> None:
    """Upgrading one service leaves each object of the others as it was."""
    before, after = render(), render({"services": {"router": {"imageTag": "next"}}})
    changed = [new["metadata"]["name"] for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ["hapju-router"]


def test_a_new_agent_is_one_line(render: Render) -> None:
    """An agent that is added to the map is deployed, called by the orchestrator and let through to the tools."""
    objects = render({"agents": {"finance.ontology": {"port": 20105}}})
    assert "hapju-agent-finance-ontology" in kind_of(objects, "Deployment")
    (orchestrator,) = pod(objects, "hapju-orchestrator")["containers"]
    expected = "dns:///hapju-agent-finance-ontology.space.svc.cluster.local:20105"
    assert expected == environment_of(orchestrator)["HAPJU_FINANCE_ONTOLOGY_ADDR"]


def test_secrets_come_by_name_and_to_whom_they_concern(render: Render) -> None:
    """Secrets are references, the keys of clients reach the gateway alone, databases their owners alone."""
    objects = render(case("production"))
    holders: dict[str, set[str]] = {}
    for name, one in kind_of(objects, "Deployment").items():
        variables = environment_of(one["spec"]["template"]["spec"]["containers"][0])
        for variable, value in variables.items():
            if isinstance(value, dict) and "secretKeyRef" in value:
                assert value["secretKeyRef"]["key"] == variable
                holders.setdefault(variable, set()).add(name)
    everyone = set(kind_of(objects, "Deployment"))
    expected = {
        "HAPJU_CALLER_KEY": everyone,
        "HAPJU_JWT_KEYS": {"hapju-gateway"},
        "OPENAI_API_KEY": everyone - {"hapju-gateway", "hapju-tool-gateway"},
        "HAPJU_STORE_URL": {"hapju-orchestrator"},
        "HAPJU_SQL_URL": {"hapju-tool-gateway"},
        "HAPJU_SQL_READ_URL": {"hapju-tool-gateway"},
        "HAPJU_GRAPH_URL": {"hapju-tool-gateway"},
    }
    assert expected == holders
    assert kind_of(objects, "Secret") == {}


def test_only_those_who_ask_a_model_may_leave_the_cluster(render: Render) -> None:
    """An open way to the internet is for processes with a model alone."""
    policies = kind_of(render(), "NetworkPolicy")
    outside = {
        name
        for name, policy in policies.items()
        if any("ipBlock" in peer for rule in policy["spec"]["egress"] for peer in rule.get("to", []))
    }
    assert set(policies) - {"hapju-gateway", "hapju-tool-gateway"} == outside


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"services": {"router": {"calls": ["planer"]}}}, r"router\.calls.*\"planer\".*planner"),
    ({"only": ["rooter"]}, r"only.*\"rooter\".*router"),
    ({"services": {"router": {"secrets": ["HAPJU_KEY"]}}}, r"router\.secrets.*\"HAPJU_KEY\""),
    ({"services": {"router": {"secrets": []}}}, r"router\.secrets.*HAPJU_CALLER_KEY"),
    ({"services": {"router": {"databases": ["HAPJU_SQL_URL"]}}}, r"router\.databases.*HAPJU_SQL_URL"),
    ({"services": {"orchestrator": {"replicas": 2}}}, r"orchestrator\.replicas.*HAPJU_STORE_URL"),
    ({"services": {"router": {"autoscaling": {"minReplicas": 9}}}}, r"router\.autoscaling"),
    ({"services": {"router": {"httpPort": 8080}}}, r"router\.httpPort"),
    ({"services": {"gateway": {"httpPort": 70000}}}, "httpPort"),
    ({"config": {"HAPJU_HTTP_LISTEN": "0.0.0.0:8080"}}, "HAPJU_HTTP_LISTEN"),
    ({"services": {"router": {"replica": 2}}}, "replica"),
    ({"agents": {"macro": {"port": 20100}}}, "macro"),
    ({"replicas": 2}, "replicas"),
    ({"config": {"HAPJU_AUTH_MODE": "dev"}}, "HAPJU_AUTH_MODE"),
    ({"config": {"OPENAI_API_KEY": "sk-1"}}, "OPENAI_API_KEY"),
    ({"config": {"HAPJU_ROUTER_ADDR": "x:1"}}, "HAPJU_ROUTER_ADDR"),
    ({"secrets": {"HAPJU_CALLER_KEY": ""}}, "HAPJU_CALLER_KEY"),
    ({"secrets": {"HAPJU_CALLER_KEY": "Some Secret Value"}}, "HAPJU_CALLER_KEY"),
]


@pytest.mark.parametrize(("values", "message"), REFUSED, ids=[str(values) for values, _ in REFUSED])
def test_wrong_values_are_refused_by_name(render: Render, values: Object, message: str) -> None:
    """What is misspelt, contradicts itself or would open something stops the rendering and is named."""
    with pytest.raises(helm_python.HelmError, match=message):
        render(values)


def test_the_chart_lints() -> None:
    """Helm's own checks find no error and no warning."""
    found = helm_python.lint(str(ROOT / "helm"))
    assert found["errors"] == []
    assert [message for message in found["messages"] if message["severity"] > 1] == []


def test_the_notes_say_what_is_needed(chart: helm_python.Chart) -> None:
    """After an installation the Secrets that it needs are named."""
    notes = chart.render({}, name="release", namespace="space")["hapju/templates/NOTES.txt"]
    assert "hapju-caller: HAPJU_CALLER_KEY" in notes
    assert "hapju-jwt: HAPJU_JWT_KEYS" in notes


def test_tls_reaches_each_process(render: Render) -> None:
    """Each process has its own certificate for the name that its callers dial, and is probed where no TLS is spoken."""
    objects = render(case("tls"))
    certificates = kind_of(objects, "Certificate")
    for name, one in kind_of(objects, "Deployment").items():
        spec = pod(objects, name)
        container = spec["containers"][0]
        names = certificates[name]["spec"]["dnsNames"]
        assert certificates[name]["spec"]["issuerRef"]["name"] == "bank-ca"
        assert any(host.endswith(".svc.cluster.local") for host in names)
        secret = next(volume["secret"]["secretName"] for volume in spec["volumes"] if volume["name"] == "tls")
        assert secret == certificates[name]["spec"]["secretName"] == f"{name}-tls"
        variables = environment_of(container)
        assert variables["HAPJU_TLS_CERT"] == "/etc/hapju/tls/tls.crt"
        assert variables["HAPJU_PROBE_LISTEN"].endswith(":20400")
        probes = [container[probe]["grpc"]["port"] for probe in ("startupProbe", "readinessProbe", "livenessProbe")]
        assert probes == [20400, 20400, 20400], one
        dialled = [value for variable, value in variables.items() if variable.endswith("_ADDR")]
        hosts = {host for certificate in certificates.values() for host in certificate["spec"]["dnsNames"]}
        assert {address.removeprefix("dns:///").rpartition(":")[0] for address in dialled} <= hosts


def test_one_secret_for_all_asks_for_no_certificates(render: Render) -> None:
    """A Secret that is given is mounted everywhere, and the chart asks nobody for another."""
    objects = render({**case("tls"), "tls": {"enabled": True, "secret": "bank-hapju"}})
    assert kind_of(objects, "Certificate") == {}
    volumes = [volume for name in kind_of(objects, "Deployment") for volume in pod(objects, name)["volumes"]]
    mounted = {volume["secret"]["secretName"] for volume in volumes if volume["name"] == "tls"}
    assert mounted == {"bank-hapju"}


def test_without_tls_nothing_of_it_is_rendered(render: Render) -> None:
    """No certificate, no mount, no variable, and probes at the service's own port."""
    objects = render(case("default"))
    assert not any("tls" in str(one).lower() for one in objects)


def test_the_sample_data_has_the_memory_that_it_takes(render: Render) -> None:
    """Loading it is bounded by what a test of the slow tier measures, and the service keeps its own bound."""
    spec = pod(render(case("default")), "hapju-tool-gateway")
    (seed,) = spec["initContainers"]
    assert seed["resources"]["limits"]["memory"] == "256Mi"
    assert spec["containers"][0]["resources"]["limits"]["memory"] == "512Mi"


def test_the_http_edge_is_reached_through_a_service_of_its_own(render: Render) -> None:
    """The gateway listens where its port says, a Service with an address leads there, and named peers alone get in."""
    ingress = {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "ingress"}}}
    values = {"services": {"gateway": {"httpPort": 8081}}, "network": {"httpClients": [ingress]}}
    objects = render(values)
    (container,) = pod(objects, "hapju-gateway")["containers"]
    assert environment_of(container)["HAPJU_HTTP_LISTEN"] == "0.0.0.0:8081"
    assert {"name": "http", "containerPort": 8081, "protocol": "TCP"} in container["ports"]
    service = kind_of(objects, "Service")["hapju-gateway-http"]["spec"]
    assert "clusterIP" not in service
    assert [(one["port"], one["targetPort"], one["appProtocol"]) for one in service["ports"]] == [
        (8081, "http", "http")
    ]
    rules = kind_of(objects, "NetworkPolicy")["hapju-gateway"]["spec"]["ingress"]
    assert [rule["from"] for rule in rules if rule["ports"][0]["port"] == 8081] == [[ingress]]
    others = [one for name, one in kind_of(objects, "Deployment").items() if name != "hapju-gateway"]
    assert not any("HTTP_LISTEN" in str(one) for one in others)


def test_mounted_servers_are_the_tool_gateways_alone(render: Render) -> None:
    """The Secret that names them and the way there are given to the process that calls them, where it is set."""
    way = {"to": [{"podSelector": {"matchLabels": {"app": "rates"}}}], "ports": [{"port": 443, "protocol": "TCP"}]}
    objects = render({"secrets": {"HAPJU_MCP_SERVERS": "hapju-servers"}, "network": {"servers": [way]}})
    holders = {name for name, one in kind_of(objects, "Deployment").items() if "HAPJU_MCP_SERVERS" in str(one)}
    open_ = {name for name, one in kind_of(objects, "NetworkPolicy").items() if way in one["spec"]["egress"]}
    assert holders == open_ == {"hapju-tool-gateway"}
    assert (
        way
        not in kind_of(render({"network": {"servers": [way]}}), "NetworkPolicy")["hapju-tool-gateway"]["spec"]["egress"]
    )


def test_without_a_port_nothing_of_the_http_edge_is_rendered(render: Render) -> None:
    """0 leaves the Service, the port, the rule and the variable out."""
    objects = render({"services": {"gateway": {"httpPort": 0}}})
    assert "hapju-gateway-http" not in kind_of(objects, "Service")
    assert "8080" not in str(objects)


def test_tls_names_the_http_edge_too(render: Render) -> None:
    """Who comes over HTTPS finds the name that they dial in the gateway's certificate."""
    objects = render(case("tls"))
    assert "hapju-gateway-http" in kind_of(objects, "Certificate")["hapju-gateway"]["spec"]["dnsNames"]
    assert kind_of(objects, "Service")["hapju-gateway-http"]["spec"]["ports"][0]["appProtocol"] == "https"


def test_the_image_may_be_named_by_digest(render: Render) -> None:
    """A digest says which image runs, in every container and the Job; a process with a tag of its own keeps that."""
    digest = "sha256:" + "a" * 64
    objects = render({**case("production"), "image": {"repository": "registry/hapju", "digest": digest}})
    named = {container["image"] for container in containers(objects)}
    assert named == {f"registry/hapju@{digest}", "registry/hapju:1.2.4"}


def test_settings_come_from_secrets_of_the_bank_too(render: Render) -> None:
    """What a process lists under extraEnvFrom is its container's alone."""
    source = {"secretRef": {"name": "bank-settings"}}
    objects = render({"services": {"policy": {"extraEnvFrom": [source]}}})
    found = {name: pod(objects, name)["containers"][0].get("envFrom") for name in kind_of(objects, "Deployment")}
    assert found.pop("hapju-policy") == [source]
    assert set(found.values()) == {None}
