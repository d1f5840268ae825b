"""The chart in a cluster with rules of its own: users, accounts, routes, watchers, scaling by load, its own check."""

from typing import Any

import helm_python
import pytest
import yaml

from tests.deploy.manifests import ROOT, Object, Render, environment_of, kind_of

BANK: Object = yaml.safe_load((ROOT / "helm" / "ci" / "bank-values.yaml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def objects(render: Render) -> list[Object]:
    """What the chart renders for such a cluster."""
    return render(BANK)


def template(objects: list[Object], name: str) -> Object:
    """Returns the pod template of a deployment."""
    found: Object = kind_of(objects, "Deployment")[name]["spec"]["template"]
    return found


def test_the_cluster_may_give_the_users(objects: list[Object], render: Render) -> None:
    """Without users of the chart's no pod names one, and none may be root; as shipped each names the image's."""
    workloads = [*kind_of(objects, "Deployment").values(), *kind_of(objects, "Job").values()]
    contexts = [one["spec"]["template"]["spec"]["securityContext"] for one in workloads]
    contexts.append(kind_of(objects, "Pod")["hapju-test"]["spec"]["securityContext"])
    assert [
        one for one in contexts if one != {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
    ] == []
    shipped = template(render(), "hapju-router")["spec"]["securityContext"]
    assert (shipped["runAsUser"], shipped["runAsGroup"], shipped["fsGroup"]) == (10001, 10001, 10001)


def test_each_process_has_an_account_without_a_token(objects: list[Object]) -> None:
    """Accounts are their processes' own, bear the annotations of their entry, and a given one is not made."""
    accounts = kind_of(objects, "ServiceAccount")
    named = {name: template(objects, name)["spec"]["serviceAccountName"] for name in kind_of(objects, "Deployment")}
    assert named.pop("hapju-agent-general-general-knowledge") == "shared"
    assert named == {name: name for name in named} == {name: name for name in accounts}
    assert accounts["hapju-orchestrator"]["metadata"]["annotations"] == {"bank.example.com/role": "hapju"}
    assert {one["automountServiceAccountToken"] for one in accounts.values()} == {False}


def test_a_process_can_be_left_out(objects: list[Object], render: Render) -> None:
    """`except` takes a process's objects out of a release, of all as of `only`, and leaves the others as they are."""
    names = {one["metadata"]["name"] for one in objects}
    assert "hapju-agent-commerce-after-sales" not in names
    assert "hapju-agent-commerce-order-flow" in names
    left = render({"only": ["router", "planner"], "except": ["planner"]})
    assert {one["metadata"]["name"] for one in left} == {"hapju-router"}


def test_names_are_asked_for_where_the_cluster_answers_them(objects: list[Object]) -> None:
    """Each policy lets its pods reach the DNS that is named, and no other."""
    for policy in kind_of(objects, "NetworkPolicy").values():
        (rule,) = (one for one in policy["spec"]["egress"] if one["ports"][0]["port"] == 53)
        assert rule["to"] == BANK["network"]["dns"]


def test_clients_come_in_by_a_route_and_an_ingress(objects: list[Object], render: Render) -> None:
    """Both lead to the gateway's own Services and ports; as shipped neither is there."""
    route = kind_of(objects, "GRPCRoute")["hapju-gateway"]["spec"]
    assert (route["hostnames"], route["parentRefs"][0]["name"]) == (["ask.example.com"], "bank")
    assert route["rules"] == [{"backendRefs": [{"name": "hapju-gateway", "port": 20050}]}]
    ingress = kind_of(objects, "Ingress")["hapju-gateway"]["spec"]
    assert ingress["tls"] == [{"hosts": ["console.example.com"], "secretName": "console-tls"}]
    backend = ingress["rules"][0]["http"]["paths"][0]["backend"]["service"]
    service = kind_of(objects, "Service")[backend["name"]]
    assert backend["port"]["name"] in {port["name"] for port in service["spec"]["ports"]}
    assert not {"GRPCRoute", "Ingress"} & {one["kind"] for one in render()}


def test_watchers_are_told_what_to_look_for(objects: list[Object], render: Render) -> None:
    """The rules are the alerts, word by word; the collector is what is scraped; as shipped neither is there."""
    rules = kind_of(objects, "PrometheusRule")["hapju"]
    alerts = yaml.safe_load((ROOT / "observability" / "alerts.yaml").read_text(encoding="utf-8"))
    assert rules["spec"] == alerts
    assert rules["metadata"]["labels"]["release"] == "prometheus"
    monitor = kind_of(objects, "ServiceMonitor")["hapju-collector"]["spec"]
    assert monitor["selector"]["matchLabels"] == {"app": "otel-collector"}
    assert monitor["namespaceSelector"] == {"matchNames": ["observability"]}
    assert not {"PrometheusRule", "ServiceMonitor"} & {one["kind"] for one in render()}


def test_an_orchestrator_scales_by_the_flows_that_it_drives(objects: list[Object]) -> None:
    """A metric of the pods stands where CPU is switched off."""
    (metric,) = kind_of(objects, "HorizontalPodAutoscaler")["hapju-orchestrator"]["spec"]["metrics"]
    target = {"type": "AverageValue", "averageValue": "200"}
    assert metric == {"type": "Pods", "pods": {"metric": {"name": "hapju_flows_active"}, "target": target}}


@pytest.mark.parametrize("case", ["production", "postgres"])
def test_replicas_are_spread_over_machines(render: Render, case: str) -> None:
    """Each process of several replicas asks for its own pods to lie apart, the autoscaled too; one asks nothing."""
    values = yaml.safe_load((ROOT / "helm" / "ci" / f"{case}-values.yaml").read_text(encoding="utf-8"))
    spread = 0
    for name, one in kind_of(render(values), "Deployment").items():
        labels, inside = one["spec"]["selector"]["matchLabels"], one["spec"]["template"]
        rules = inside["spec"].get("topologySpreadConstraints", [])
        assert len(rules) == (one["spec"].get("replicas") not in {0, 1}), name
        for rule in rules:
            assert rule["labelSelector"] == {"matchLabels": labels}
            assert labels.items() <= inside["metadata"]["labels"].items()
            asked = (rule["topologyKey"], rule["maxSkew"], rule["whenUnsatisfiable"])
            assert asked == ("kubernetes.io/hostname", 1, "ScheduleAnyway")
            spread += 1
    assert spread > 10
    assert "topologySpreadConstraints" not in template(render(), "hapju-router")["spec"]


def test_connections_grow_old(objects: list[Object]) -> None:
    """Each process is told for how long, the chart's default or its own."""
    told = {
        name: environment_of(template(objects, name)["spec"]["containers"][0])["HAPJU_CONNECTION_SECONDS_MAX"]
        for name in kind_of(objects, "Deployment")
    }
    assert told.pop("hapju-orchestrator") == "120"
    assert set(told.values()) == {"300"}


def test_another_revision_of_the_secrets_restarts_the_pods(render: Render) -> None:
    """The template of each pod changes with it, and with nothing else."""
    before, after, again = render(), render({"secretsRevision": "3"}), render({"secretsRevision": "3"})
    changed = {new["metadata"]["name"] for old, new in zip(before, after, strict=True) if old != new}
    assert changed == set(kind_of(after, "Deployment"))
    assert after == again


def test_the_release_tests_itself(objects: list[Object], render: Render) -> None:
    """`helm test` asks the gateway by its own name whether it can work, with its certificate where TLS is spoken."""
    probe = kind_of(objects, "Pod")["hapju-test"]
    assert probe["metadata"]["annotations"]["helm.sh/hook"] == "test"
    expected = ["services.runtime.probe", "hapju-gateway.space.svc.cluster.local:20050", "gateway"]
    assert probe["spec"]["containers"][0]["args"] == expected
    with_tls = kind_of(render({"tls": {"enabled": True}}), "Pod")["hapju-test"]["spec"]
    assert with_tls["volumes"][0]["secret"]["secretName"] == "hapju-gateway-tls"
    assert kind_of(render({"only": ["router"]}), "Pod") == {}


@pytest.mark.parametrize(
    ("variable", "way"), [("HAPJU_WEB_SEARCH_URL", "search"), ("HAPJU_PAYMENT_GATEWAY", "payment")]
)
def test_what_the_tool_gateway_goes_to_is_let_through(render: Render, variable: str, way: str) -> None:
    """Where a setting names it, its rule is the tool gateway's alone; where none does, nobody's."""
    rule = {"to": [{"ipBlock": {"cidr": "192.0.2.7/32"}}], "ports": [{"port": 443, "protocol": "TCP"}]}
    for given in (
        {"config": {variable: "there:443"}},
        {"services": {"tool_gateway": {"env": {variable: "there:443"}}}},
    ):
        values = {"network": {way: [rule]}}
        policies = kind_of(render({**values, **given}), "NetworkPolicy")
        assert [name for name, one in policies.items() if rule in one["spec"]["egress"]] == ["hapju-tool-gateway"]
        assert rule not in kind_of(render(values), "NetworkPolicy")["hapju-tool-gateway"]["spec"]["egress"]


def test_numbers_are_written_as_they_stand(render: Render) -> None:
    """A large number, one with a fraction and a switch reach the process as a person wrote them, and none as 1e+06."""
    given = {
        "HAPJU_ATTACHMENT_MEMORY_BYTES_MAX": 1_500_000_000,
        "HAPJU_TRACE_RATIO": 0.25,
        "HAPJU_AGENT_SUMMARY": False,
    }
    found = environment_of(template(render({"config": given}), "hapju-router")["spec"]["containers"][0])
    assert [found[name] for name in given] == ["1500000000", "0.25", "false"]


def test_the_notes_name_what_the_release_has(chart: helm_python.Chart) -> None:
    """A release without a gateway is told of none; over TLS the name is told that the certificate is for."""
    notes = {
        name: chart.render(values, name="release", namespace="space")["hapju/templates/NOTES.txt"]
        for name, values in (("all", {}), ("one", {"only": ["router"]}), ("tls", {"tls": {"enabled": True}}))
    }
    assert "helm --namespace space test release" in notes["all"]
    assert "hapju ask" in notes["all"]
    assert "hapju-gateway" not in notes["one"]
    assert "HAPJU_TLS_CA=ca.crt HAPJU_GATEWAY=hapju-gateway:20050" in notes["tls"]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"except": ["rooter"]}, r"except.*\"rooter\".*router"),
    ({"runAs": {"user": 0}}, "user"),
    ({"runAs": {"uid": 1}}, "uid"),
    ({"exposure": {"ingress": {"hosts": []}}}, "hosts"),
    ({"exposure": {"ingress": {"host": "a.b"}}, "services": {"gateway": {"httpPort": 0}}}, "exposure.ingress"),
    ({"config": {"HAPJU_WEB_SEARCH_URL": "http://search"}}, "network.search: HAPJU_WEB_SEARCH_URL"),
    ({"services": {"tool_gateway": {"env": {"HAPJU_PAYMENT_GATEWAY": "pay:1"}}}}, "network.payment"),
    ({"monitoring": {"collector": {"enabled": True}}}, "monitoring.collector.selector"),
    ({"config": {"HAPJU_CONNECTION_SECONDS_MAX": 1}}, "HAPJU_CONNECTION_SECONDS_MAX"),
]


@pytest.mark.parametrize(("values", "message"), REFUSED, ids=[str(values) for values, _ in REFUSED])
def test_wrong_values_are_refused_by_name(render: Render, values: Object, message: str) -> None:
    """What is misspelt or contradicts itself stops the rendering and is named."""
    with pytest.raises(helm_python.HelmError, match=message):
        render(values)
