// An answer's rows as a table, and as a picture where one helps: a line for a series, bars for a rank or a comparison.

import uPlot from "./vendor/uPlot.esm.js";
import { h, svg, table } from "./dom.js";
import { jsonOf } from "./api.js";
import { number, spoken, t } from "./words.js";

const DATE = /^\d{4}-\d{2}(-\d{2})?$/;
const COUNTS = new Set(["deal_count", "row_count", "count", "day_volume"]);
const COLOURS = ["--line-1", "--line-2", "--line-3", "--line-4", "--line-5", "--line-6"];
const POINTS_MIN = 4;
const ROWS_SHOWN_MAX = 50;
const OTHER = { ko: "_en", en: "_ko" };

/** Returns the rows of a piece of evidence, each as {field: value}. */
export function rowsOf(evidence) {
  const rows = jsonOf(evidence.rows_json);
  return Array.isArray(rows) ? rows.map((row) => row.fields ?? row) : [];
}

/** Returns rows as a table, without what only names the same in the other language. */
export function rowsTable(title, rows) {
  if (rows.length === 0) return h("p", { class: "quiet" }, t("noRows"));
  const named = [...new Set(rows.flatMap(Object.keys))];
  const columns = named.filter((name) => !(name.endsWith(OTHER[spoken()]) && named.length > 1));
  const cells = rows.slice(0, ROWS_SHOWN_MAX).map((row) => columns.map((name) => cellOf(row[name])));
  const more = rows.length - ROWS_SHOWN_MAX;
  return h("div", {}, table(title, columns, cells), more > 0 ? h("p", { class: "quiet" }, `+${more}`) : null);
}

function cellOf(value) {
  if (typeof value === "number") return { shown: number(value), numeric: true };
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Returns the picture of a series, or null where the rows are none. */
export function seriesChart(title, rows) {
  if (rows.length < POINTS_MIN) return null;
  const names = Object.keys(rows[0]);
  const when = names.find((name) => rows.every((row) => DATE.test(row[name] ?? "")));
  const what = names.find((name) => !COUNTS.has(name) && rows.every((row) => typeof row[name] === "number"));
  if (!when || !what) return null;
  const who = names.find((name) => name.endsWith("_id"));
  const lines = new Map();
  for (const row of rows) {
    const label = row[`name_${spoken()}`] ?? (who ? row[who] : title);
    if (!lines.has(label)) lines.set(label, new Map());
    lines.get(label).set(Date.parse(row[when]) / 1000, row[what]);
  }
  const moments = [...new Set([...lines.values()].flatMap((line) => [...line.keys()]))].sort((a, b) => a - b);
  if (moments.length < POINTS_MIN || lines.size > COLOURS.length) return null;
  return drawn(title, moments, lines);
}

function drawn(title, moments, lines) {
  const place = h("div", { class: "plot", "aria-hidden": "true" });
  const style = getComputedStyle(document.documentElement);
  const ink = style.getPropertyValue("--quiet");
  const axis = { stroke: ink, grid: { stroke: style.getPropertyValue("--rule"), width: 1 }, ticks: { show: false } };
  const months = new Intl.DateTimeFormat(spoken(), { year: "2-digit", month: "short", timeZone: "UTC" });
  const short = new Intl.NumberFormat(spoken(), { notation: "compact", maximumSignificantDigits: 4 });
  const series = [...lines].map(([label], at) => ({
    label: String(label), stroke: style.getPropertyValue(COLOURS[at]), width: 2, points: { show: moments.length < 30 },
  }));
  const shape = (width) => ({
    width, height: Math.min(260, Math.max(180, width * 0.4)), legend: { show: lines.size > 1 }, cursor: { y: false },
    axes: [
      { ...axis, space: 70, values: (_, ticks) => ticks.map((tick) => months.format(tick * 1000)) },
      { ...axis, size: 62, values: (_, ticks) => ticks.map((tick) => short.format(tick)) },
    ],
    series: [{ value: "{YYYY}-{MM}-{DD}" }, ...series],
  });
  const data = [moments, ...[...lines.values()].map((line) => moments.map((moment) => line.get(moment) ?? null))];
  let plot = null;
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    if (width < 40) return;
    if (plot) plot.setSize(shape(width));
    else plot = new uPlot(shape(width), data, place);
  }).observe(place);
  return h("figure", {}, h("figcaption", {}, `${t("chart")} · ${title}`), place);
}

/** Returns bars for what an answer ranks or compares by one figure, or null where it does not. */
export function barChart(title, told) {
  const figure = Object.keys(told[0]?.figures ?? {})[0];
  const bars = told.filter((one) => Number.isFinite(Number(one.figures?.[figure]))).slice(0, 12);
  if (!figure || bars.length < 2) return null;
  const most = Math.max(...bars.map((one) => Math.abs(Number(one.figures[figure]))));
  const rows = bars.map((one) => {
    const value = Number(one.figures[figure]);
    const bar = svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { width: most ? (Math.abs(value) / most) * 100 : 0, height: 10, class: value < 0 ? "below" : "" }));
    return h("li", {}, h("span", { class: "label" }, one.label), bar, h("span", { class: "number" }, number(value, Math.abs(value) >= 1000 ? 0 : 2)));
  });
  return h("figure", {}, h("figcaption", {}, `${t("chart")} · ${title}`), h("ol", { class: "bars" }, rows));
}

/** Returns the pictures of an answer: few, and only of what it answers. */
export function picturesOf(answer) {
  const cited = new Set(answer.citations.map((citation) => citation.evidence_id));
  const found = [];
  for (const { output } of answer.selected_agents) {
    for (const one of output.answers) {
      if (one.form === "ASK_FORM_RANK" || one.form === "ASK_FORM_COMPARE") {
        const titles = output.evidence.filter((held) => one.evidence_ids.includes(held.evidence_id)).map((held) => held.title);
        found.push(barChart([...new Set(titles)].join(", "), one.told));
      }
    }
    if (output.answers.some((one) => one.form === "ASK_FORM_CHANGE")) {
      const shown = output.evidence.filter((one) => cited.has(one.evidence_id));
      found.push(...shown.map((one) => seriesChart(one.title, rowsOf(one))));
    }
  }
  return found.filter(Boolean).slice(0, 3);
}
