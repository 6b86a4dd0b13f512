/**
 * This browser becomes a terminal of the demo casino in one tap: its key is made here as anywhere, and the two persons who let it in
 * are the demo's, whose PINs anybody may know. The node asks for them as always, and puts it on record.
 */

import { Api } from "../ground/api.js";
import { element, say } from "../ground/element.js";
import { forgetTerminal, keepTerminal, makePair, newId, publicHalf, terminalFor } from "../ground/key.js";
import { troubleText } from "../ground/said.js";
import { applyLanguage } from "../ground/texts.js";
import { look } from "./ask.js";
import { word } from "./words.js";

const PAGES = { table: "../croupier/", chief: "../chief/", sign: "../sign/" };
const AGAIN = 500;

/** @typedef {import("../ground/key.js").Use} Use */
/** @typedef {{person: string, pin: string, name: string}} Colleague */

const words = element("p", { class: "waiting", role: "status" });

/** @param {Use} use @param {string} place */
async function become(use, place) {
  if (!(await stands(use, place))) await enrol(use, place);
  location.replace(new URL(`${PAGES[use]}?place=${encodeURIComponent(place)}`, location.href));
}

/**
 * Whether this browser is that terminal already. One that the casino does not know, because it was founded anew, is forgotten.
 * @param {Use} use
 * @param {string} place
 */
async function stands(use, place) {
  for (;;) {
    const before = await terminalFor(use, place);
    if (!before) return false;
    const { meaning } = await new Api(before).hello();
    if (meaning === "done") return true;
    if (meaning === "again") await pause();
    else await forgetTerminal(before.terminal);
  }
}

/** @param {Use} use @param {string} place */
async function enrol(use, place) {
  const { people, enrol: who } = await house();
  const [by, second] = who.map((name) => people.find((one) => one.person === name));
  if (!by || !second) throw new Error("the demo has these two");
  const pair = await makePair();
  const terminal = `demo-${use}-${newId().slice(0, 6)}`;
  const kept = { terminal, use, place, pair };
  const signers = { by: { person: by.person, pin: by.pin }, second: { person: second.person, pin: second.pin } };
  const body = { id: newId(), terminal, use, place, key: await publicHalf(pair), ...signers };
  const answer = await new Api(kept).settle("enrol", body);
  if (answer.meaning !== "done") throw new Error(troubleText(answer.trouble));
  await keepTerminal(kept);
  say(words, word("be.done", { by: by.name, second: second.name }));
}

/** @returns {Promise<{people: Colleague[], enrol: string[]}>} */
async function house() {
  for (;;) {
    const { isDone, said } = await look("house");
    if (isDone) return said;
    say(words, word("start.away"));
    await pause();
  }
}

const pause = () => new Promise((resolve) => setTimeout(resolve, AGAIN));

applyLanguage();
document.title = "pozo";
say(words, word("be.enrolling"));
document.body.append(element("main", {}, words));
const wanted = new URLSearchParams(location.search);
const use = /** @type {Use} */ (["chief", "sign"].find((one) => one === wanted.get("use")) ?? "table");
become(use, wanted.get("place") ?? "").catch((error) => say(words, word("be.refused", { why: error.message })));
