// Builds elements. Text is only ever text: nothing here, and nothing elsewhere, reads markup from data.

/** Returns an element: h("p", {class: "note", onclick: f}, "text", child). */
export function h(name, given = {}, ...children) {
  return fill(document.createElement(name), given, children);
}

/** Returns an SVG element. */
export function svg(name, given = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), given, children);
}

function fill(element, given, children) {
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Puts children in place of what an element holds. */
export function put(element, ...children) {
  element.replaceChildren(...children.flat(2).filter((child) => child !== null && child !== undefined));
  return element;
}

/** Returns a table with a caption for those who hear it. */
export function table(caption, columns, rows) {
  const numeric = columns.map((_, at) => rows.length > 0 && rows.every((row) => row[at]?.numeric ?? false));
  const cell = (kind, value, at, extra = {}) =>
    h(kind, { class: numeric[at] ? "number" : value?.kind, ...extra }, value?.shown ?? value ?? "");
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, columns.map((name, at) => cell("th", name, at, { scope: "col" })))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((value, at) => cell("td", value, at))))),
    ),
  );
}
