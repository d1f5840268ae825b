// What this deployment answers with, and what it has used.

import { h, put, table } from "./dom.js";
import { call } from "./api.js";
import { nameOf } from "./names.js";
import { lasting, moment, msOf, number, spoken, t } from "./words.js";

/** Shows the agents and tools of the deployment. */
export async function house(place) {
  const [{ agents }, { tools }] = await Promise.all([call("GET", `/v1/agents?locale=${spoken()}`), call("GET", `/v1/tools?locale=${spoken()}`)]);
  const agentRows = agents.map(({ title, description, served, intents }) => [
    h("span", { class: "what" }, title, h("span", { class: "note" }, description.agent)), t(served ? "served" : "notServed"),
    { shown: description.answers, kind: "words" }, { shown: intents.map(nameOf).join(", "), kind: "words" }, description.tools.join(", "),
  ]);
  put(place, h("h1", {}, t("agents")),
    table(t("agents"), [t("name"), t("phase"), t("answers"), t("intents"), t("tools")], agentRows),
    h("h2", {}, `${t("tools")} (${tools.length})`),
    table(t("tools"), [t("name"), t("description")], tools.map((tool) => [tool.name, { shown: tool.description, kind: "words" }])));
}

/** Shows what the latest flows have used, by day. */
export async function usage(place) {
  const { flows } = await call("GET", "/v1/flows?page_size=200");
  const days = new Map();
  for (const flow of flows) {
    const day = moment(flow.start_time, { dateStyle: "medium" });
    const sum = days.get(day) ?? { count: 0, ms: 0, models: 0, tools: 0, tokens: 0, cost: 0 };
    sum.count += 1;
    sum.ms += msOf(flow.latency);
    sum.models += flow.usage.model_calls;
    sum.tools += flow.usage.tool_calls;
    sum.tokens += Number(flow.usage.input_tokens) + Number(flow.usage.output_tokens);
    sum.cost += Number(flow.usage.cost_micro_usd);
    days.set(day, sum);
  }
  const figure = (value) => ({ shown: number(value), numeric: true });
  const rows = [...days].map(([day, sum]) => [
    day, figure(sum.count), { shown: lasting(sum.ms / sum.count), numeric: true }, figure(sum.models), figure(sum.tools),
    figure(sum.tokens), { shown: `$${number(sum.cost / 1e6, 4)}`, numeric: true },
  ]);
  const columns = [t("day"), t("count"), `⌀ ${t("took")}`, t("models"), t("tools"), t("tokens"), t("cost")];
  put(place, h("h1", {}, t("usage")), h("p", { class: "quiet" }, t("usageNote", { n: flows.length })), table(t("usage"), columns, rows));
}
