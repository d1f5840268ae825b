// The flows of the person who looks, or for an operator those of everybody: found by words and state, the newest first.

import { h, put, table } from "./dom.js";
import { call } from "./api.js";
import { bare, lasting, moment, msOf, number, t } from "./words.js";

/** Shows the list of flows. */
export async function flows(place, roles = []) {
  const found = [];
  let next = "";
  const everybody = h("input", { type: "checkbox", id: "everybody", onchange: () => { found.length = 0; next = ""; load(); } });
  const list = h("div", {});
  const words = h("input", { type: "search", id: "words", oninput: () => show() });
  const phase = h("select", { id: "phase", onchange: () => show() });
  const more = h("button", { type: "button", onclick: () => load() }, t("more"));
  put(place, h("h1", {}, t("list")),
    h("div", { class: "filters" },
      h("div", {}, h("label", { for: "words" }, t("filter")), words),
      h("div", {}, h("label", { for: "phase" }, t("phase")), phase),
      roles.includes("operator") ? h("div", { class: "check" }, everybody, h("label", { for: "everybody" }, t("everybody"))) : null),
    list, more);

  const show = () => {
    const wanted = words.value.trim().toLowerCase();
    const chosen = phase.value;
    const seen = [...new Set(found.map((flow) => bare(flow.phase, "PHASE_")))];
    put(phase, h("option", { value: "" }, t("all")),
      seen.map((name) => h("option", { value: name, selected: name === chosen }, t(`phases.${name}`))));
    const rows = found
      .filter((flow) => flow.question.toLowerCase().includes(wanted) && (!chosen || bare(flow.phase, "PHASE_") === chosen))
      .map((flow) => [
        h("a", { href: `#/flows/${flow.flow_run_id}${flow.user_id ? "/of-tenant" : ""}` },
          flow.question || [flow.user_id, flow.flow_run_id].filter(Boolean).join(" · ")),
        t(`phases.${bare(flow.phase, "PHASE_")}`), { shown: moment(flow.start_time, { dateStyle: "short", timeStyle: "short" }), kind: "moment" },
        { shown: lasting(msOf(flow.latency)), numeric: true },
        { shown: number(Number(flow.usage.input_tokens) + Number(flow.usage.output_tokens)), numeric: true },
      ]);
    put(list, rows.length
      ? table(t("list"), [t("question"), t("phase"), t("started"), t("took"), t("tokens")], rows)
      : h("p", { class: "quiet" }, t("none")));
    more.hidden = !next;
  };
  const load = async () => {
    const page = await call("GET", `/v1/flows?page_size=50&page_token=${encodeURIComponent(next)}${everybody.checked ? "&of_tenant=true" : ""}`);
    found.push(...page.flows);
    next = page.next_page_token;
    show();
  };
  await load();
}
