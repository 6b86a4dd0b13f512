/**
 * How every page begins: the size of a millimetre, the language, this browser's key, a session, and what is live.
 *
 * A browser without a key for this page is no terminal: it is sent to be enrolled. Until somebody answers, the page says so.
 */

import { Api } from "./api.js";
import { element, mark, say } from "./element.js";
import { terminalFor } from "./key.js";
import { Live } from "./live.js";
import { apply } from "./millimetres.js";
import { speakOfMoney } from "./said.js";
import { applyLanguage, text } from "./texts.js";
import { typesByFinger } from "./typing.js";

const AGAIN = 1000;

/** @typedef {{api: Api, live: Live, place: string}} Begun */

/**
 * For a page at which somebody works: without news it says so over everything.
 * @param {import("./key.js").Use} use
 * @param {(place: string) => string[]} scopesOf
 * @returns {Promise<Begun>}
 */
export async function begin(use, scopesOf) {
  const begun = await connect(use, scopesOf);
  begun.live.onStanding(showStanding(true));
  typesByFinger();
  return begun;
}

/**
 * For a page that may look at other boxes too: while one of them is heard its own node's silence does not cover everything.
 * @param {import("./key.js").Use} use
 * @param {(api: Api) => Promise<string[]>} scopesOf
 * @returns {Promise<Begun>}
 */
export async function beginAt(use, scopesOf) {
  const begun = await connect(use, (_, api) => scopesOf(api));
  begun.live.onStanding(showStanding(begun.live.boxes.size === 0));
  typesByFinger();
  return begun;
}

/**
 * For a page that says by itself how old its picture is.
 * @param {import("./key.js").Use} use
 * @param {(place: string, api: Api) => string[] | Promise<string[]>} scopesOf
 * @returns {Promise<Begun>}
 */
export async function connect(use, scopesOf) {
  apply();
  applyLanguage();
  const named = new URLSearchParams(location.search).get("place") ?? undefined;
  const terminal = await terminalFor(use, named);
  if (!terminal) {
    location.replace(new URL(`../ground/enrol.html?use=${use}${named ? `&place=${encodeURIComponent(named)}` : ""}`, location.href));
    return new Promise(() => {});
  }
  const api = new Api(terminal);
  await greeted(api);
  const live = new Live({ scopes: await scopesOf(terminal.place, api), terminal: terminal.terminal, renew: () => api.renew() });
  const floors = [live, ...live.boxes.values()];
  const looked = (/** @type {string[]} */ keys) => keys.some((key) => key.startsWith("pot/")) && speakOfMoney(floors.flatMap((one) => one.all("pot/")));
  for (const floor of floors) floor.onChange(looked);
  live.start();
  return { api, live, place: terminal.place };
}

/** @param {Api} api */
async function greeted(api) {
  const words = element("p", { class: "waiting", role: "status" });
  for (let answer = await api.greeted(); answer.meaning !== "done"; answer = await api.greeted()) {
    const isRefused = answer.meaning === "refused" || answer.meaning === "session";
    say(words, text(isRefused ? "start.refused" : "start.waiting", { terminal: api.terminal.terminal }));
    if (!words.isConnected) document.body.append(words);
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
  words.remove();
}

/** What lies over everything while nothing is heard: words, a shape, the age of what is seen. */
function showStanding(/** @type {boolean} */ isAlone) {
  const word = element("strong", {});
  const rest = element("span", {});
  const banner = element("div", { class: "no-connection", role: "alert", popover: "manual" }, element("i", { "aria-hidden": "true" }, "⌁"), word, rest);
  return (/** @type {import("./pulse.js").Standing} */ standing, /** @type {number} */ age) => {
    mark(document.documentElement, "data-live", standing);
    const isGone = standing === "silent" || (standing === "no_node" && isAlone);
    if (isGone) {
      say(word, text(standing === "silent" ? "live.silent" : "live.no_node"));
      say(rest, text("live.age", { age: ageText(age) }));
    }
    if (isGone === banner.isConnected) return;
    if (isGone) {
      document.body.append(banner);
      banner.showPopover();
    } else banner.remove();
  };
}

/**
 * @param {number} seconds
 */
export function ageText(seconds) {
  if (seconds < 60) return text("age.seconds", { n: seconds });
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? text("age.minutes", { n: minutes }) : text("age.hours", { n: Math.floor(minutes / 60) });
}
