/**
 * Where a demonstration begins: play at a table, be its croupier, be the chief, watch a sign; and who is who.
 *
 * Each place of work has a name of this machine for itself (felt/places.py), so one browser can be all of them at once.
 */

import { element, fill, say } from "../ground/element.js";
import { apply } from "../ground/millimetres.js";
import { applyLanguage, switchLanguage, text } from "../ground/texts.js";
import { look } from "./ask.js";
import { word } from "./words.js";

const AGAIN = 1500;

/** @typedef {{use: "table" | "chief" | "sign", place: string, origin: string}} Place */
/** @typedef {{table: string, title: string, modality: string, seats: number, croupier: string}} TableListed */
/** @typedef {{home: string, people: {person: string, name: string, title: string, pin: string}[], enrol: string[], places: Place[]}} House */

/** @param {string} key @param {Node[]} links @param {string} kind */
function choice(key, links, kind) {
  const list = element("div", { class: "links" }, ...links);
  return element("section", { class: `choice ${kind}` }, element("h2", {}, word(key)), element("p", {}, word(`${key}.what`)), list);
}

/** @param {string} address @param {string} name @param {string} [more] */
function link(address, name, more = "") {
  const note = element("small", {}, more);
  return element("a", { href: address, target: "_blank", rel: "noopener" }, element("b", {}, name), note);
}

/** @param {Place} place */
const being = ({ use, place, origin }) => `${origin}/play/be.html?use=${use}&place=${encodeURIComponent(place)}`;

/** @param {House} house @param {TableListed[]} tables */
function page(house, tables) {
  const game = (/** @type {TableListed} */ one) => `${word(`game.${one.modality}`)}, ${one.title}`;
  const at = (/** @type {string} */ use) => house.places.filter((one) => one.use === use);
  const notes = new Map(tables.map((one) => [one.table, element("span", { class: "yours" })]));
  const play = tables.map((one) => link(`${house.home}/play/felt.html?table=${encodeURIComponent(one.table)}`, one.table, game(one)));
  const deal = at("table").map((one) => {
    const made = link(being(one), one.place);
    made.append(notes.get(one.place) ?? "");
    return made;
  });
  const rows = house.people.map((one) => element("tr", {}, element("th", { scope: "row" }, one.person),
    element("td", {}, `${one.name}, ${one.title}`), element("td", { class: "pin-of" }, one.pin)));
  const people = element("section", { class: "people-told" }, element("h2", {}, word("start.people")),
    element("p", {}, word("start.people.what")), element("table", {}, element("tbody", {}, ...rows)));
  fill(main, [
    element("div", { class: "choices" },
      choice("start.play", play, "play"),
      choice("start.croupier", deal, "croupier"),
      choice("start.chief", at("chief").map((one) => link(being(one), word("start.chief.go"))), "chief"),
      choice("start.sign", at("sign").map((one) => link(being(one), word(`sign.${one.place}`))), "sign")),
    people,
  ]);
  return (/** @type {TableListed[]} */ now) => {
    for (const one of now) say(notes.get(one.table) ?? element("i"), one.croupier === "person" ? word("start.yours") : "");
  };
}

async function follow() {
  /** @type {((now: TableListed[]) => void) | undefined} */
  let show;
  for (;;) {
    const [house, casino] = [show ? undefined : await look("house"), await look("casino")];
    if (!show && house?.isDone && casino.isDone) show = page(house.said, casino.said.tables);
    if (casino.isDone) show?.(casino.said.tables);
    say(trouble, casino.isDone ? "" : word("start.away"));
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

apply();
applyLanguage();
const trouble = element("p", { class: "trouble", role: "status" });
const main = element("main", {});
const other = element("button", { type: "button", click: switchLanguage }, text("language.other"));
const head = element("header", {}, element("div", {}, element("h1", {}, element("span", { class: "mark" }, "pozo"), ` ${word("start.title")}`),
  element("p", {}, word("start.lead"))), other);
document.title = `pozo · ${word("start.title")}`;
document.body.append(head, trouble, main);
void follow();
