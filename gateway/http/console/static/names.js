// What the ids of a flow are called: those of domains, intents and agents by the deployment, the house's own by the console.

import { call } from "./api.js";
import { spoken, t } from "./words.js";

let titles = {};
let language = "";

/** Learns what this deployment calls things, once for each language; who may not ask is not there to see any. */
export async function learnNames({ mode, user }) {
  if (language === spoken() || (mode !== "dev" && !user)) return;
  language = spoken();
  titles = await call("GET", `/v1/agents?locale=${language}`).then((found) => found.titles, () => ({}));
}

/** Returns what an id is called: a domain, an intent, an agent, a service, a decision; itself where nobody says. */
export function nameOf(id) {
  if (!id) return "-";
  if (titles[id]) return titles[id];
  const said = t(`ids.${id}`);
  return said === id.split(".").pop() && id.includes(".") ? id : said;
}
