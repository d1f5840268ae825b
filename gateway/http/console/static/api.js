// Calls the edge that serves this page, and hears flows to their end over streams that may break.

const PAUSES_MS = [200, 500, 1000, 2000, 3000];

/** Why a request was refused or failed: the problem that the edge tells. */
export class Problem extends Error {
  constructor(told) {
    super(told.detail || told.title || String(told.status));
    Object.assign(this, told);
  }
}

const HEADERS = { "hapju-console": "1" };

/** Returns the JSON of a response; throws a Problem. */
export async function call(method, path, body) {
  const headers = body === undefined ? HEADERS : { ...HEADERS, "content-type": "application/json" };
  const response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
  if (!response.ok) throw await problemOf(response);
  return response.status === 204 ? null : response.json();
}

/** Saves a file under a name; throws a Problem. */
export async function download(path, name) {
  const response = await fetch(path, { headers: HEADERS });
  if (!response.ok) throw await problemOf(response);
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(await response.blob()), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Yields the events of a new flow, {name, data}. */
export function ask(question, signal) {
  // The id makes the request safe to send again before anything was heard of it.
  return heard("POST", "/v1/ask", { ...question, request_id: crypto.randomUUID() }, signal);
}

/** Yields the events of a flow that exists, from its beginning. */
export function watch(flowRunId, signal) {
  return heard("GET", `/v1/flows/${flowRunId}/events`, undefined, signal);
}

async function* heard(method, path, body, signal) {
  let lastId = "";
  for (let tries = 0; ; tries += 1) {
    try {
      const response = await opened(method, path, body, lastId, signal);
      if (response.status === 204) return;
      for await (const event of eventsOf(response.body)) {
        tries = 0;
        lastId = event.id || lastId;
        if (event.name === "problem") throw new Problem(event.data);
        yield event;
        if (["finished", "failed", "cancelled"].includes(event.name)) return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      const lost = !(error instanceof Problem) || error.code === "UNAVAILABLE" || error.code === "DEADLINE_EXCEEDED";
      if (!lost || tries >= PAUSES_MS.length * 4) throw error;
    }
    await new Promise((resume) => setTimeout(resume, PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]));
  }
}

async function opened(method, path, body, lastId, signal) {
  const headers = { ...HEADERS, accept: "text/event-stream" };
  if (lastId) headers["last-event-id"] = lastId;
  if (body !== undefined) headers["content-type"] = "application/json";
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body), signal });
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function* eventsOf(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop();
    for (const part of parts) {
      const fields = Object.fromEntries(part.split("\n").map((line) => divided(line)));
      if (fields.data) yield { name: fields.event, id: fields.id ?? "", data: JSON.parse(fields.data) };
    }
  }
}

function divided(line) {
  const at = line.indexOf(": ");
  return [line.slice(0, at), line.slice(at + 2)];
}

async function problemOf(response) {
  const told = await response.json().catch(() => ({}));
  return new Problem({ status: response.status, title: response.statusText, ...told });
}

/** Returns what a field of bytes holds as JSON. */
export function jsonOf(base64) {
  if (!base64) return null;
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))));
  } catch {
    return null;
  }
}
