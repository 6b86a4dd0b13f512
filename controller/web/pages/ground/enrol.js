/**
 * A browser becomes a terminal: its screen is measured, its key is made, two persons let it in.
 *
 * The key is made when the page opens and kept only when the node has enrolled it. Persons and places are typed: a browser
 * that nobody has let in is told nobody's name.
 */

import { Api } from "./api.js";
import { element, mark, say } from "./element.js";
import { keepTerminal, makePair, newId, publicHalf } from "./key.js";
import { CARD_HEIGHT, CARD_WIDTH, apply, isPlausible, keepCard, perMillimetre } from "./millimetres.js";
import { troubleText } from "./said.js";
import { applyLanguage, switchLanguage, text } from "./texts.js";
import { typesByFinger } from "./typing.js";

const PAGES = { table: "../croupier/", chief: "../chief/", sign: "../sign/" };
const DECK = 221;
const STEP = 1;

/** @typedef {import("./key.js").Use} Use */

/** @returns {Use} */
function askedUse() {
  const use = new URLSearchParams(location.search).get("use");
  return use === "chief" || use === "sign" ? use : "table";
}

/** The frame that somebody makes as wide as a card; every step is kept at once. */
function cardStep() {
  const card = element("div", { class: "card", role: "img", "aria-label": text("enrol.card.width") });
  const told = element("p", { role: "status" });
  const range = element("input", { type: "range", min: 120, max: 1700, step: "0.5", "aria-label": text("enrol.card.width") });
  const show = () => {
    const width = Number(range.value);
    card.style.setProperty("--card-width", `${width}px`);
    card.style.setProperty("--card-height", `${(width * CARD_HEIGHT) / CARD_WIDTH}px`);
    if (!isPlausible(width / CARD_WIDTH)) return;
    keepCard(width);
    const w = Math.round(innerWidth / perMillimetre());
    const size = text("enrol.card.screen", { w, h: Math.round(innerHeight / perMillimetre()) });
    say(told, w < DECK ? `${size} ${text("enrol.card.small")}` : size);
  };
  const stepBy = (/** @type {number} */ by) => () => {
    range.value = String(Number(range.value) + by);
    show();
  };
  range.value = String(perMillimetre() * CARD_WIDTH);
  range.addEventListener("input", show);
  show();
  const narrower = element("button", { type: "button", click: stepBy(-STEP) }, text("enrol.card.narrower"));
  const wider = element("button", { type: "button", click: stepBy(STEP) }, text("enrol.card.wider"));
  return element("section", {}, element("h2", {}, text("enrol.card")), element("p", {}, text("enrol.card.how")), range,
    element("div", { class: "row" }, narrower, wider), card, told);
}

/** What this screen is for, and where. */
class WhatFor {
  constructor() {
    const asked = new URLSearchParams(location.search);
    /** @type {Use} */
    this.use = askedUse();
    this.place = element("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 64 });
    this.place.value = asked.get("place") ?? "";
    this.name = element("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 64 });
    this.placeWord = element("span", {});
    this.placeLabel = element("label", {}, this.placeWord, this.place);
    /** @type {[Use, HTMLButtonElement][]} */
    this.buttons = /** @type {Use[]} */ (["table", "chief", "sign"]).map((use) => {
      const press = () => this.choose(use);
      return [use, element("button", { type: "button", class: "first", click: press }, text(`enrol.use.${use}`))];
    });
    this.choose(this.use);
    const buttons = element("div", { class: "row", role: "group", "aria-label": text("enrol.what") }, ...this.buttons.map(([, button]) => button));
    this.root = element("section", {}, element("h2", {}, text("enrol.what")), buttons, this.placeLabel,
      element("label", {}, text("enrol.name"), this.name));
  }

  /** @param {Use} use */
  choose(use) {
    this.use = use;
    for (const [one, button] of this.buttons) mark(button, "aria-pressed", one === use ? "true" : "false");
    this.placeLabel.hidden = use === "chief";
    say(this.placeWord, use === "sign" ? text("enrol.place.sign") : text("enrol.place.table"));
    const random = newId().slice(0, 4);
    if (!this.name.value || /^(table|chief|sign)-[0-9a-f]{4}$/.test(this.name.value)) this.name.value = `${use}-${random}`;
  }

  get where() {
    return this.use === "chief" ? "" : this.place.value.trim();
  }
}

/** A browser that wants room may throw away what a page keeps, and the key with it, unless it was asked not to. */
async function keepForGood() {
  await navigator.storage?.persist?.().catch(() => false);
}

/**
 * A PIN is told to a browser as a word that is good once, so that it offers nobody to keep it.
 * @param {string} label
 */
function signer(label) {
  const person = element("input", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: 64 });
  const pin = element("input", { type: "password", inputmode: "numeric", autocomplete: "one-time-code", pattern: "[0-9]{6,12}", maxlength: 12 });
  const root = element("fieldset", {}, element("legend", {}, label), element("label", {}, text("enrol.person"), person), element("label", {}, text("enrol.pin"), pin));
  return { root, said: () => ({ person: person.value.trim(), pin: pin.value }), forget: () => (pin.value = "") };
}

async function enrolment() {
  apply();
  applyLanguage();
  typesByFinger();
  const pair = await makePair();
  const key = await publicHalf(pair);
  const what = new WhatFor();
  const by = signer(text("enrol.by"));
  const second = signer(text("enrol.second"));
  const said = element("p", { class: "said", role: "status" });
  let id = newId();

  async function enrol() {
    const terminal = what.name.value.trim();
    const wanted = { terminal, use: what.use, place: what.where, key, by: by.said(), second: second.said() };
    const missing = missingOf(wanted);
    if (missing.length) return tell(text("enrol.missing", { what: missing.join(", ") }), true);
    tell(text("trouble.asking"), false);
    const kept = { terminal, use: what.use, place: what.where, pair };
    const answer = await new Api(kept).settle("enrol", { id, ...wanted });
    by.forget();
    second.forget();
    if (answer.meaning !== "done") {
      if (answer.meaning !== "again") id = newId();
      return tell(answer.meaning === "again" ? text("trouble.unsure") : troubleText(answer.trouble), true);
    }
    await keepTerminal(kept);
    await keepForGood();
    tell(text("enrol.done"), false);
    location.replace(new URL(PAGES[what.use], location.href));
  }

  function tell(/** @type {string} */ words, /** @type {boolean} */ isWrong) {
    say(said, words);
    mark(said, "data-wrong", isWrong);
  }

  const confirm = element("button", { type: "button", class: "confirm first", click: () => void enrol() }, text("enrol.confirm"));
  const who = element("section", {}, element("h2", {}, text("enrol.who")), element("p", {}, text("enrol.who.how")), by.root, second.root,
    confirm, said, element("p", {}, text("enrol.fingerprint", { key: key.slice(2, 18) })));
  const other = element("button", { type: "button", click: switchLanguage }, text("language.other"));
  document.title = `POZO · ${text("enrol.title")}`;
  document.body.append(element("header", {}, element("h1", {}, text("enrol.title"))), element("main", {}, cardStep(), what.root, who), other);
}

/**
 * @param {{terminal: string, use: Use, place: string, by: {person: string, pin: string}, second: {person: string, pin: string}}} wanted
 */
function missingOf(wanted) {
  const places = { table: text("enrol.place.table"), sign: text("enrol.place.sign"), chief: "" };
  return [
    wanted.use !== "chief" && !wanted.place && places[wanted.use],
    !wanted.terminal && text("enrol.name"),
    !(wanted.by.person && wanted.by.pin) && text("enrol.by"),
    !(wanted.second.person && wanted.second.pin) && text("enrol.second"),
  ].filter((one) => typeof one === "string");
}

void enrolment();
