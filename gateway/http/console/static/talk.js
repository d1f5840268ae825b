// A conversation: what was asked in it, and the place to ask.

import { h, put } from "./dom.js";
import { Attached } from "./attach.js";
import { ask, call, watch } from "./api.js";
import { Exchange } from "./exchange.js";
import { closeSource } from "./sources.js";
import { t } from "./words.js";

/** Shows a conversation, or a new one where it has no id; returns what leaves it. */
export async function talk(place, sessionId = "", sourceOf = null) {
  const leaving = new AbortController();
  const state = { session: sessionId, running: null };
  const log = h("div", { class: "log" });
  const input = h("textarea", {
    id: "question", rows: 1, maxlength: 4000, placeholder: t("questionHint"),
    onkeydown: (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        form.requestSubmit();
      }
    },
  });
  const attached = new Attached();
  const send = h("button", {}, t("send"));
  const stop = h("button", { type: "button", class: "plain", hidden: true, onclick: () => state.running?.() }, t("stop"));
  const form = h("form", { class: "ask", onsubmit: (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (!text && !attached.files.length) return;
    input.value = "";
    // What is said to a flow that waits is its answer; a file is none.
    if (attached.files.length || !state.waiting?.answered(text)) begin(text);
  } }, h("label", { for: "question", class: "unseen" }, t("question")), input, attached.element, attached.input,
  h("div", { class: "buttons" }, attached.button, stop, send));
  const title = h("h1", { class: sessionId ? "unseen" : "start" }, t(sessionId ? "ask" : "welcome"));
  put(place, title, log, form);

  const follow = async (exchange, events, scrolled = false) => {
    log.append(exchange.element);
    state.waiting = exchange;
    if (scrolled) exchange.element.scrollIntoView({ block: "start" });
    stop.hidden = false;
    state.running = () => exchange.flowRunId && call("POST", `/v1/flows/${exchange.flowRunId}/cancel`).catch(() => {});
    try {
      for await (const event of events) exchange.take(event);
    } catch (problem) {
      exchange.fail(problem);
    }
    stop.hidden = true;
    state.running = null;
  };
  const on = {
    session: (id) => {
      if (state.session === id) return;
      state.session = id;
      history.replaceState(null, "", `#/talk/${id}`);
    },
    next: (text) => begin(text),
  };
  const begin = async (text) => {
    closeSource();
    title.className = "unseen";
    const names = attached.files.map((file) => file.name).join(", ");
    const exchange = new Exchange([text, names].filter(Boolean).join("\n"), on);
    const question = { text, interactive: true, session_id: state.session, attachments: await attached.taken() };
    return follow(exchange, ask(question, leaving.signal), true);
  };

  if (sessionId) {
    const listed = await call("GET", `/v1/flows?page_size=50&session_id=${encodeURIComponent(sessionId)}`);
    for (const flow of listed.flows.reverse()) {
      const exchange = new Exchange(flow.question, on);
      exchange.flowRunId = flow.flow_run_id;
      const heard = follow(exchange, watch(flow.flow_run_id, leaving.signal));
      if (flow.end_time) await heard;
      if (sourceOf?.flow === flow.flow_run_id) {
        heard.then(() => exchange.element.querySelector(`[data-evidence="${CSS.escape(sourceOf.evidence)}"]`)?.click());
      }
    }
  }
  input.focus({ preventScroll: true });
  return () => leaving.abort();
}
