// One question with what becomes of it: stages and lines while it is answered, what is asked back, the answer, its sources.

import { h, put } from "./dom.js";
import { call, download } from "./api.js";
import { picturesOf } from "./figures.js";
import { nameOf } from "./names.js";
import { openSource } from "./sources.js";
import { bare, lasting, moment, msOf, number, t } from "./words.js";

const STAGES = [
  ["policy", "ADMITTED"], ["understand", "GUARDED"], ["plan", "ROUTED"], ["run", "PLANNED"], ["review", "EXECUTING"], ["write", "REVIEWED"],
];
const REACHED = {
  ADMITTED: 0, GUARDED: 1, ROUTED: 2, PLANNED: 3, EXECUTING: 3, AWAITING_CONFIRMATION: 3, REVIEWED: 5, SYNTHESIZING: 5, FINISHED: 6,
};

/** Shows one exchange; `on` takes {session(id), flow(id), next(text), ended()}. */
export class Exchange {
  constructor(question, on = {}) {
    this.on = on;
    this.flowRunId = "";
    this.open = new Map();
    this.waiting = new Map();
    this.said = new Map();
    this.attempt = 0;
    this.text = "";
    this.stages = h("ol", { class: "stages", "aria-hidden": "true" }, STAGES.map(([name]) => h("li", {}, t(name))));
    this.status = h("p", { class: "status", role: "status" }, t("thinking"));
    this.lines = h("ol", { class: "lines" });
    this.details = h("details", { class: "details" }, h("summary", {}, t("details")), this.lines);
    this.asked = h("div", { class: "asked" });
    this.answer = h("div", { class: "answer" });
    this.extra = h("div", { class: "extra" });
    this.question = h("p", { class: "question" }, question);
    this.element = h("article", { class: "exchange", "aria-busy": "true" },
      h("h2", { class: "unseen" }, t("you")), this.question,
      h("div", { class: "live" }, this.stages, this.status), this.asked, this.answer, this.extra, this.details);
  }

  /** Takes one event of the flow in. */
  take({ name, data }) {
    const told = data[name];
    if (typeof this[`_${name}`] === "function") this[`_${name}`](told);
  }

  /** Tells a failure that is no event of the flow. */
  fail(problem) {
    this._over(problem.message, "fault");
  }

  _accepted(told) {
    this.flowRunId = told.flow_run_id;
    this.on.session?.(told.session_id);
    this.on.flow?.(told.flow_run_id);
  }

  _phase_changed(told) {
    const phase = bare(told.phase, "PHASE_");
    const reached = REACHED[phase] ?? -1;
    [...this.stages.children].forEach((stage, at) => {
      stage.className = at < reached ? "done" : at === reached ? "now" : "";
    });
    if (phase === "AWAITING_CONFIRMATION") put(this.status, t("waiting"));
  }

  _decision_made({ decision }) {
    const source = bare(decision.source, "DECISION_SOURCE_");
    const by = [t(`by.${source}`), decision.model, decision.fallback_reason].filter(Boolean).join(" ");
    const made = { service: nameOf(decision.service), kind: nameOf(decision.kind) };
    this._line(t("decided", made), `${by} · ${lasting(msOf(decision.latency))}`, decision.reasoning);
  }

  _routed({ route }) {
    const { domain, intent, confidence } = route;
    if (domain || intent) {
      this._line(t("understood", { domain: nameOf(domain), intent: nameOf(intent), confidence: number(confidence) }));
    }
  }

  _planned({ plan }) {
    const agents = [...new Set(plan.steps.map((step) => nameOf(step.agent)))].join(", ");
    this._line(agents ? t("planned", { agents }) : t("nothingPlanned"));
  }

  _data_reuse_decision(told) {
    if (told.message) this._line(told.message);
  }

  _progress(told) {
    if (told.message) put(this.status, told.message);
  }

  _tool_settled(told) {
    const returned = told.outcome === "TOOL_OUTCOME_KIND_RETURNED";
    const ms = number(msOf(told.latency), 1);
    this._line(returned ? t("toolReturned", { tool: nameOf(told.tool), rows: told.row_count, ms }) : t("toolFailed", { ...told, tool: nameOf(told.tool) }));
  }

  _agent_settled(told) {
    const outcome = bare(told.outcome, "AGENT_OUTCOME_");
    const ms = number(msOf(told.latency), 1);
    const agent = nameOf(told.agent);
    this._line(outcome === "ANSWERED" ? t("agentDone", { agent, ms }) : t("agentOther", { agent, outcome: t(`outcomes.${outcome}`), reason: told.reason }));
  }

  _action_settled(told) {
    const outcome = bare(told.outcome, "ACTION_OUTCOME_");
    const given = { type: told.action_type, outcome: [outcome, told.reason].filter(Boolean).join(" ") };
    this._line(t(outcome === "DONE" ? "actionDone" : "actionNot", given));
  }

  _reviewed({ review }) {
    const verdict = t(`verdict.${bare(review.goal_achieved, "GOAL_ACHIEVED_")}`);
    const missing = review.missing.length ? t("missing", { what: review.missing.join(", ") }) : "";
    this._line(t("reviewed", { verdict, score: number(review.score) }), missing);
  }

  _warning_raised({ warning }) {
    this._line(warning.message);
  }

  _question_asked(told) {
    const card = questionCard(told, (answer) => this._reply(told, answer));
    this.open.set(told.question_id, card);
    this.waiting.set(told.question_id, told);
    this.asked.append(card);
    put(this.status, t("waiting"));
    this._line(`${t(`kinds.${bare(told.kind, "QUESTION_KIND_")}`)}: ${told.text}`);
    // What is to be pressed stands above the place to ask, whatever the length of the card.
    card.scrollIntoView({ block: "nearest" });
    card.querySelector("button, input")?.focus({ preventScroll: true });
  }

  _question_settled(told) {
    const card = this.open.get(told.question_id);
    if (!card) return;
    this.open.delete(told.question_id);
    const outcome = bare(told.outcome, "QUESTION_OUTCOME_").toLowerCase();
    card.querySelectorAll(".reply, .choices, .until").forEach((element) => element.remove());
    card.classList.add("settled");
    card.querySelector("h3")?.remove();
    const said = outcome === "answered" ? this.said.get(told.question_id) : "";
    card.append(h("p", { class: "quiet" }, said ? `${t(outcome)}: ${said}` : t(outcome)));
    put(this.status, t("thinking"));
  }

  /** Answers what the flow waits with last; returns whether it waits at all. */
  answered(text) {
    const asked = [...this.open.keys()].pop();
    if (asked) this._reply(this.waiting.get(asked), text);
    return Boolean(asked);
  }

  async _reply(asked, answer) {
    this.said.set(asked.question_id, answer);
    const body = { answer };
    if (asked.action) body.action_digest = asked.action.action_digest;
    try {
      await call("POST", `/v1/flows/${this.flowRunId}/questions/${asked.question_id}/answer`, body);
    } catch (problem) {
      this.open.get(asked.question_id)?.append(h("p", { class: "fault", role: "alert" }, problem.message));
    }
  }

  _delta(told) {
    if (told.answer_attempt > this.attempt) [this.attempt, this.text] = [told.answer_attempt, ""];
    const letters = [...this.text];
    this.text = letters.slice(0, Number(told.text_offset)).join("") + told.text;
    put(this.answer, paragraphs(this.text));
  }

  _finished({ answer }) {
    this.text = answer.final_response;
    put(this.answer, paragraphs(this.text));
    put(this.extra,
      documents(answer), picturesOf(answer), citations(answer), cautions(answer), suggestions(answer, this.on.next), footer(answer));
    this._end();
  }

  _failed(told) {
    this._over([told.message || t("failed"), told.error_id].filter(Boolean).join(" "), "fault");
  }

  _cancelled(told) {
    this._over(t("cancelled", told), "quiet");
  }

  _over(text, kind) {
    put(this.extra, h("p", { class: kind, role: "alert" }, text));
    this._end();
  }

  _end() {
    this.element.querySelector(".live").hidden = true;
    this.asked.querySelectorAll(".reply, .choices, .until").forEach((element) => element.remove());
    this.element.setAttribute("aria-busy", "false");
    this.on.ended?.();
  }

  _line(text, ...notes) {
    const said = notes.filter(Boolean).map((note) => h("span", { class: "note" }, note));
    this.lines.append(h("li", {}, h("span", {}, text), said));
  }
}

function paragraphs(text) {
  return text.split(/\n{2,}/).flatMap(blocks);
}

/** Returns a paragraph with the lists in it: lines that begin with a dash. */
function blocks(part) {
  const found = [];
  for (const line of part.split("\n")) {
    const item = line.startsWith("- ");
    if (item !== found.at(-1)?.item) found.push({ item, lines: [] });
    found.at(-1).lines.push(item ? line.slice(2) : line);
  }
  return found.map(({ item, lines }) =>
    (item ? h("ul", {}, lines.map((line) => h("li", {}, line))) : h("p", {}, lines.join("\n"))));
}

function questionCard(asked, reply) {
  const approval = asked.kind === "QUESTION_KIND_APPROVAL";
  const labels = new Map((asked.choices ?? []).map((choice) => [choice.value, choice]));
  const button = (value) => {
    const choice = labels.get(value);
    return h("button", { type: "button", class: "choice", onclick: () => reply(value), title: choice?.description },
      choice?.label || value);
  };
  const input = h("input", { name: "answer", maxlength: 4000, autocomplete: "off", "aria-label": t("yourAnswer") });
  const free = h("form", { class: "reply", onsubmit: (event) => {
    event.preventDefault();
    if (input.value.trim()) reply(input.value.trim());
  } }, input, h("button", {}, t("answer")));
  return h("section", { class: approval ? "card approval" : "card", "aria-label": asked.text },
    approval ? h("h3", {}, t("approve")) : null,
    h("p", {}, asked.text),
    asked.action ? preview(asked.action) : null,
    asked.held_data ? h("p", { class: "quiet" }, asked.held_data.summary) : null,
    asked.options.length ? h("div", { class: "choices" }, asked.options.map(button)) : null,
    approval ? null : free,
    asked.expire_time ? h("p", { class: "quiet until" }, t("until", { time: moment(asked.expire_time, { timeStyle: "short" }) })) : null);
}

function preview(action) {
  const shown = (field) => {
    if (field.kind === "MONEY_KRW") return `${number(Number(field.number))}원`;
    return field.kind === "QUANTITY" ? number(Number(field.number)) : field.text;
  };
  return h("dl", { class: "preview", "data-action": action.action_type },
    action.fields.map((field) => [h("dt", {}, field.label || field.name), h("dd", {}, shown(field))]));
}

function citations(answer) {
  if (answer.citations.length === 0) return null;
  const evidence = new Map(answer.selected_agents.flatMap(({ output }) => output.evidence.map((one) => [one.evidence_id, one])));
  const item = (citation, at) => h("li", {}, h("button", {
    type: "button", class: "source", "data-evidence": citation.evidence_id, "aria-haspopup": "dialog",
    onclick: (event) => openSource(event.currentTarget, citation, evidence.get(citation.evidence_id), at + 1),
  }, h("span", { class: "mark" }, at + 1), " ", citation.title || citation.evidence_id,
  citation.sample ? h("span", { class: "tag" }, t("sample")) : null));
  return h("section", {}, h("h3", {}, t("sources")), h("ol", { class: "sources" }, answer.citations.map(item)));
}

function documents(answer) {
  const item = ({ document_id, title }) => h("button", {
    type: "button", class: "choice", "data-document": document_id,
    onclick: async ({ currentTarget }) => {
      try {
        await download(`/v1/flows/${answer.flow_run_id}/documents/${document_id}`, `${title}.docx`);
      } catch (problem) {
        currentTarget.after(h("p", { class: "fault", role: "alert" }, problem.message));
      }
    },
  }, t("download", { title }));
  return answer.documents?.length ? h("div", { class: "choices" }, answer.documents.map(item)) : null;
}

function cautions(answer) {
  const told = [
    ...answer.selected_agents.flatMap(({ output }) => output.cautions), ...answer.warnings.map((warning) => warning.message),
  ].filter((text) => text && !answer.final_response.includes(text));
  if (told.length === 0) return null;
  return h("section", {}, h("h3", {}, t("cautions")), h("ul", {}, [...new Set(told)].map((text) => h("li", {}, text))));
}

function suggestions(answer, next) {
  if (!next || answer.next_suggested_actions.length === 0) return null;
  const button = (text) => h("button", { type: "button", class: "choice", onclick: () => next(text) }, text);
  return h("section", {}, h("h3", {}, t("next")), h("div", { class: "choices" }, answer.next_suggested_actions.map(button)));
}

function footer(answer) {
  const tokens = Number(answer.usage.input_tokens) + Number(answer.usage.output_tokens);
  const by = t(`by.${bare(answer.source, "DECISION_SOURCE_")}`);
  return h("footer", { class: "quiet" }, `${by} · ${t("tools")} ${answer.usage.tool_calls}`,
    tokens ? ` · ${t("tokens")} ${number(tokens)}` : "", " · ",
    h("a", { href: `#/flows/${answer.flow_run_id}` }, t("waterfall")));
}
