// The console: its frame, and which screen an address leads to.

import { call } from "./api.js";
import { h, put } from "./dom.js";
import { flow } from "./flow.js";
import { flows } from "./flows.js";
import { house, usage } from "./house.js";
import { learnNames } from "./names.js";
import { closeSource } from "./sources.js";
import { talk } from "./talk.js";
import { speakOther, spoken, t } from "./words.js";

const SCREENS = [
  [/^\/?$/, (place) => talk(place), "ask"],
  [/^\/talk\/([\w.-]+)$/, (place, session) => talk(place, session), "ask"],
  [/^\/flows$/, (place) => flows(place, session.roles), "flows"],
  [/^\/flows\/([\w-]+)\/of-tenant$/, (place, id) => flow(place, id, session), "flows"],
  [/^\/flows\/([\w-]+)$/, (place, id) => flow(place, id, { ...session, roles: null }), "flows"],
  [/^\/flows\/([\w-]+)\/sources\/([\w-]+)$/, cited, "flows"],
  [/^\/agents$/, (place) => house(place), "agents"],
  [/^\/usage$/, (place) => usage(place), "usage"],
];
const THEME = "hapju.theme";
let leave = null;
let turn = 0;

async function cited(place, id, evidence) {
  const { summary } = await call("GET", `/v1/flows/${id}`);
  return talk(place, summary.session_id, { flow: id, evidence });
}

async function show() {
  turn += 1;
  const mine = turn;
  leave?.();
  leave = null;
  closeSource();
  const address = decodeURIComponent(location.hash.slice(1));
  const [shape, screen, name] = SCREENS.find(([pattern]) => pattern.test(address)) ?? SCREENS[0];
  const place = h("main", { id: "main", tabindex: "-1" });
  document.getElementById("main").replaceWith(place);
  document.documentElement.lang = spoken();
  frame(name);
  try {
    await learnNames(session);
    const left = await screen(place, ...(shape.exec(address) ?? []).slice(1));
    if (mine === turn) leave = typeof left === "function" ? left : null;
    else left?.();
  } catch (problem) {
    if (mine === turn) place.append(h("p", { class: "fault", role: "alert" }, problem.message));
  }
}

function frame(current) {
  const link = (name, href) => h("a", { href, "aria-current": name === current ? "page" : undefined }, t(name));
  put(document.getElementById("nav"),
    link("ask", "#/"), link("flows", "#/flows"), link("agents", "#/agents"), link("usage", "#/usage"));
  put(document.getElementById("tools"),
    h("button", { type: "button", class: "plain", onclick: () => { speakOther(); show(); } }, t("language")),
    h("button", { type: "button", class: "plain", onclick: changeTheme }, t("theme")),
    who());
  document.getElementById("skip").textContent = t("skip");
}

function changeTheme() {
  const dark = document.documentElement.dataset.theme === "dark"
    || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem(THEME, document.documentElement.dataset.theme);
}

let session = { mode: "dev", user: "", roles: [], trace_url: "" };

function who() {
  const label = session.user ? `${t("signOut")} · ${session.user}` : t("signIn");
  return h("button", { type: "button", class: "plain", onclick: () => (session.user ? signedOut() : signIn()) }, label);
}

async function signedOut() {
  await call("DELETE", "/console/session");
  // Not to where one was: that belongs to whoever was signed in.
  location.replace(location.pathname);
}

function signIn() {
  if (session.mode === "oidc") {
    location.assign(`/console/login?next=${encodeURIComponent(location.hash || "#/")}`);
    return;
  }
  const dialog = document.getElementById("sign-in");
  const dev = session.mode === "dev";
  const fault = h("p", { class: "fault", role: "alert" });
  const name = h("input", { id: "name", required: true, autocomplete: dev ? "username" : "off", type: dev ? "text" : "password" });
  const kind = h("select", { id: "kind" },
    h("option", { value: "" }, "-"), ["consumer", "seller"].map((value) => h("option", { value }, t(value))));
  const form = h("form", { onsubmit: async (event) => {
    event.preventDefault();
    try {
      await call("POST", "/console/session", dev ? { user: name.value, user_type: kind.value } : { token: name.value });
      location.reload();
    } catch (problem) {
      put(fault, problem.message);
    }
  } },
  h("h2", { id: "sign-in-title" }, t("signIn")), h("p", { class: "quiet" }, t(dev ? "devNote" : "jwtNote")),
  h("label", { for: "name" }, t(dev ? "user" : "token")), name,
  dev ? [h("label", { for: "kind" }, t("userType")), kind] : null, fault,
  h("div", { class: "buttons" },
    h("button", { type: "button", class: "plain", onclick: () => dialog.close() }, t("cancel")), h("button", {}, t("signIn"))));
  put(dialog, form);
  dialog.showModal();
}

const theme = localStorage.getItem(THEME);
if (theme) document.documentElement.dataset.theme = theme;
addEventListener("hashchange", show);
addEventListener("keydown", (event) => {
  if (event.key === "Escape") closeSource();
});
session = await call("GET", "/console/session").catch(() => session);
await show();
const fault = new URLSearchParams(location.search).get("fault");
if (fault) {
  history.replaceState(null, "", location.pathname + location.hash);
  const word = ["denied", "forbidden"].includes(fault) ? fault : "failed";
  document.getElementById("main").prepend(h("p", { class: "fault", role: "alert" }, t(`login.${word}`)));
}
