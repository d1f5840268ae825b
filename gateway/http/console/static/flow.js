// One flow as a waterfall: who decided what, from which source, how long it took, what it cost, what was left out.

import { h, put, svg, table } from "./dom.js";
import { call, jsonOf } from "./api.js";
import { nameOf } from "./names.js";
import { bare, lasting, moment, msOf, number, t } from "./words.js";

const LINKED = ["decision_made", "tool_settled", "agent_settled", "action_settled"];

/** Shows a flow's record; to an operator anybody's, and what was said in it once they ask for that. */
export async function flow(place, flowRunId, session, whole = false) {
  const { roles, trace_url: traceUrl } = session;
  const query = roles ? `?of_tenant=true&with_content=${whole}` : "";
  const record = await call("GET", `/v1/flows/${flowRunId}${query}`);
  const { summary } = record;
  const look = () => flow(place, flowRunId, session, true).catch((problem) => place.append(h("p", { class: "fault", role: "alert" }, problem.message)));
  put(place, h("h1", {}, summary.question || summary.flow_run_id), facts(summary),
    summary.user_id ? h("p", {}, `${t("user")}: ${summary.user_id}`) : null,
    summary.content_withheld ? h("p", { class: "quiet" }, t("withheld")) : null,
    summary.content_withheld && roles.includes("operator:content")
      ? h("button", { type: "button", onclick: look }, t("showContent")) : null,
    h("p", { class: "ways" },
      roles ? null : h("a", { href: `#/talk/${summary.session_id}` }, t("openTalk")),
      traceUrl ? h("a", { href: traceOf(traceUrl, flowRunId), target: "_blank", rel: "noopener noreferrer" }, t("openTrace")) : null),
    h("h2", {}, t("timeline")), waterfall(record), h("h2", {}, t("dropped")), dropped(record.dropped));
}

function traceOf(url, flowRunId) {
  return url.replaceAll("{flow_run_id}", encodeURIComponent(flowRunId));
}

function facts({ flow_run_id: id, phase, start_time: start, latency, usage }) {
  const cost = Number(usage.cost_micro_usd);
  const told = [
    ["ID", id], [t("phase"), t(`phases.${bare(phase, "PHASE_")}`)], [t("started"), moment(start)],
    [t("took"), lasting(msOf(latency))], [t("models"), usage.model_calls], [t("tools"), usage.tool_calls],
    [t("tokens"), `${number(Number(usage.input_tokens))} + ${number(Number(usage.output_tokens))}`],
    [t("cost"), cost ? `$${number(cost / 1e6, 6)}` : "-"],
  ];
  return h("dl", { class: "facts" }, told.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)))));
}

function waterfall({ chain, after, events, summary }) {
  const begin = Date.parse(summary.start_time);
  const whole = Math.max(msOf(summary.latency), 1);
  const sources = events.map(linked).filter(Boolean);
  const rows = [...chain, ...after].map((link, at) => {
    const took = msOf(link.latency);
    const start = Math.max(Date.parse(link.settle_time) - begin - took, 0);
    const bar = svg("svg", { class: "span", viewBox: "0 0 1000 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: link.kind.toLowerCase(), x: Math.min((start / whole) * 1000, 995), width: Math.max((took / whole) * 1000, 4), height: 10 }));
    const tokens = Number(link.input_tokens) + Number(link.output_tokens);
    return h("li", {}, h("details", {},
      h("summary", {}, whatOf(link),
        h("span", { class: `tag ${link.kind.toLowerCase()}` }, t(`by.${link.kind}`)), bar,
        h("span", { class: "number" }, lasting(took))),
      inside(link, tokens, at < chain.length ? sources[at] : null)));
  });
  return h("ol", { class: "waterfall" }, rows);
}

/** Returns what a link is called and who did it; an agent by its name, and the step that it worked on. */
function whatOf({ kind, name, service }) {
  const [first, second] = kind === "AGENT" ? [nameOf(service), name] : [nameOf(name), nameOf(service)];
  return h("span", { class: "what" }, first, h("span", { class: "note" }, second));
}

function linked(event) {
  const name = LINKED.find((one) => event[one]);
  return name ? event[name].decision ?? event[name] : null;
}

function inside(link, tokens, source) {
  const content = source?.output_json ? JSON.stringify(jsonOf(source.output_json), null, 1) : "";
  const told = [
    [t("outcome"), link.outcome], [t("model"), link.model], [t("tokens"), tokens ? number(tokens) : ""],
    [t("confidence"), source?.confidence === undefined ? "" : number(source.confidence)],
    [t("reasoning"), [source?.reasoning === link.outcome ? "" : source?.reasoning, source?.fallback_reason].filter(Boolean).join(" ")],
  ].filter(([, value]) => value);
  return h("div", { class: "inside" },
    h("dl", { class: "preview" }, told.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    content ? h("pre", { tabindex: "0" }, content) : null);
}

function dropped(given) {
  if (given.length === 0) return h("p", { class: "quiet" }, t("noDrops"));
  const rows = given.map((one) => [bare(one.reason, "DROP_REASON_"), one.part, one.text]);
  return table(t("dropped"), [t("why"), t("part"), t("text")], rows);
}
