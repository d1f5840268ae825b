// A source opened beside the answer: what it is, by whom, as of when, and its rows.

import { h, put } from "./dom.js";
import { rowsOf, rowsTable, seriesChart } from "./figures.js";
import { moment, t } from "./words.js";

let opener = null;

/** Opens a citation's evidence in the panel; focus goes there, and comes back when it is closed. */
export function openSource(from, citation, evidence, place) {
  opener = from;
  const panel = document.getElementById("source");
  const rows = evidence ? rowsOf(evidence) : [];
  const title = h("h2", { id: "source-title", tabindex: "-1" }, t("source", { n: place, title: citation.title }));
  put(panel, h("header", {}, title, h("button", { type: "button", class: "plain", onclick: closeSource }, t("close"))),
    h("p", {}, citation.source, citation.as_of_time ? ` · ${t("asOf", { day: moment(citation.as_of_time, { dateStyle: "medium" }) })}` : "",
      citation.sample ? h("span", { class: "tag" }, t("sample")) : null),
    evidence?.excerpt && evidence.excerpt !== citation.title ? h("blockquote", {}, evidence.excerpt) : null,
    evidence ? seriesChart(citation.title, rows) : null,
    evidence ? [h("h3", {}, `${t("rows")} (${rows.length})`), rowsTable(citation.title, rows, evidence.columns)] : null);
  panel.hidden = false;
  document.body.classList.add("with-source");
  title.focus();
}

/** Closes the panel. */
export function closeSource() {
  const panel = document.getElementById("source");
  if (panel.hidden) return;
  panel.hidden = true;
  document.body.classList.remove("with-source");
  opener?.focus();
  opener = null;
}
