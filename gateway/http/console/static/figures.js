// An answer's rows as a table, and as a picture where one helps: a line for a series, bars for a rank or a comparison.

import uPlot from "./vendor/uPlot.esm.js";
import { h, svg, table } from "./dom.js";
import { jsonOf } from "./api.js";
import { figure, moment, number, spoken, t } from "./words.js";

const DATE = /^\d{4}-\d{2}(-\d{2})?$/;
const COUNTS = new Set(["deal_count", "row_count", "count", "day_volume"]);
const COLOURS = ["--line-1", "--line-2", "--line-3", "--line-4", "--line-5", "--line-6"];
const POINTS_MIN = 4;
const ROWS_SHOWN_MAX = 50;
const MOMENT = /^\d{4}-\d{2}-\d{2}T/;
const WORDS_MIN = 40;
// What a number without a unit of its own, or a count, is told in: the title says it.
const COUNTED = new Set(["", undefined, "count", "persons"]);
const OTHER = { ko: "_en", en: "_ko" };

/** Returns the rows of a piece of evidence, each as {field: value}. */
export function rowsOf(evidence) {
  const rows = jsonOf(evidence.rows_json);
  return Array.isArray(rows) ? rows.map((row) => row.fields ?? row) : [];
}

/** Returns rows as a table, by the columns that their domain declares for readers. */
export function rowsTable(title, rows, columns = []) {
  if (rows.length === 0) return h("p", { class: "quiet" }, t("noRows"));
  const told = columns.length ? columns : unnamed(rows);
  const headed = told.map((column) => {
    const unit = COUNTED.has(column.unit) ? "" : t(`units.${column.unit}`);
    return unit ? `${column.title} (${unit})` : column.title;
  });
  if (rows.length === 1) return oneRow(rows[0], told, headed);
  const cells = rows.slice(0, ROWS_SHOWN_MAX).map((row) => told.map((column) => cellOf(row[column.name], column)));
  const more = rows.length - ROWS_SHOWN_MAX;
  return h("div", {}, table(title, headed, cells), more > 0 ? h("p", { class: "quiet" }, t("moreRows", { n: number(more) })) : null);
}

/** Returns a single row as a list: a phone shows all of it. */
function oneRow(row, columns, titles) {
  const told = columns.map((column, at) => [titles[at], cellOf(row[column.name], column)]).filter(([, value]) => value !== "");
  return h("dl", { class: "preview" }, told.map(([title, value]) => [h("dt", {}, title), h("dd", {}, value.shown ?? value)]));
}

/** Returns the columns of rows of an earlier version, which says of none what it is called. */
function unnamed(rows) {
  const named = [...new Set(rows.flatMap(Object.keys))];
  return named.filter((name) => !name.endsWith(OTHER[spoken()])).map((name) => ({ name, title: name.replaceAll("_", " ") }));
}

function cellOf(value, { unit, words = {} }) {
  if (value === null || value === undefined) return "";
  if (words[String(value)]) return words[String(value)];
  if (typeof value === "number") return { shown: number(value, unit === "krw" ? 0 : 2), numeric: true };
  if (typeof value === "string" && MOMENT.test(value)) return moment(value, { dateStyle: "medium", timeStyle: "short" });
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.length > WORDS_MIN ? { shown: text, kind: "words" } : text;
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
    width, height: Math.min(260, Math.max(150, width * 0.4)), legend: { show: lines.size > 1 }, cursor: { y: false },
    axes: [
      { ...axis, space: 70, size: 32, values: (_, ticks) => ticks.map((tick) => months.format(tick * 1000)) },
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

/** Returns the pictures that an answer carries: few, and only of what was asked. */
export function picturesOf(answer) {
  return (answer.charts ?? []).map((chart) => {
    const unit = chart.unit && t(`units.${chart.unit}`);
    const title = unit ? `${chart.title} (${unit})` : chart.title;
    return chart.kind === "CHART_KIND_BARS" ? barsOf(title, chart.unit, chart.series[0]) : lineOf(title, chart.series);
  });
}

function lineOf(title, series) {
  const lines = new Map(series.slice(0, COLOURS.length).map(({ name, points }) =>
    [name, new Map(points.map(({ x, y }) => [Date.parse(x) / 1000, Number(y)]))]));
  const moments = [...new Set([...lines.values()].flatMap((line) => [...line.keys()]))].sort((a, b) => a - b);
  return drawn(title, moments, lines);
}

function barsOf(title, unit, { points }) {
  const bars = points.map(({ x, y }) => [x, Number(y)]);
  const most = Math.max(...bars.map(([, value]) => Math.abs(value)));
  const rows = bars.map(([label, value]) => {
    const bar = svg("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { width: most ? (Math.abs(value) / most) * 100 : 0, height: 10, class: value < 0 ? "below" : "" }));
    return h("li", {}, h("span", { class: "label" }, label), bar, h("span", { class: "number" }, figure(value, unit)));
  });
  return h("figure", {}, h("figcaption", {}, `${t("chart")} · ${title}`), h("ol", { class: "bars" }, rows));
}
