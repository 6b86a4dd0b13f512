/**
 * What stands on the board and the strip of a sign, as lines of words: what a hand pays with its cap, what may be bet, which
 * prizes there are. Pure but for the language.
 */

import { written } from "../ground/money.js";
import { text, textOr } from "../ground/texts.js";

/** @typedef {import("../ground/vocabulary.js").PotEntity} Pot */
/** @typedef {import("./prizes.js").Prize} Prize */
/** @typedef {{hand: string, pays: string}} Pays */

/**
 * The pay table, as the law's own order has it, the highest last.
 * @param {Pot} pot
 * @returns {Pays[]}
 */
export function paytable(pot) {
  return Object.entries(pot.paytable ?? {}).map(([prize, pays]) => ({ hand: prizeName(prize), pays: paysText(pays, pot) }));
}

/**
 * The node writes what a hand pays in Spanish; its few forms are said in the page's language.
 * @param {string} pays
 * @param {Pot} pot
 */
export function paysText(pays, pot) {
  const capped = /^(.+ %), máx\. ([\d.]+) veces$/.exec(pays);
  if (capped) return text("sign.pays.capped", { percent: capped[1], times: capped[2] });
  const each = /^(\d+) por (unidad|apuesta)$/.exec(pays);
  if (each) return text(each[2] === "unidad" ? "sign.pays.unit" : "sign.pays.bet", { amount: written(Number(each[1]), pot) });
  return /^\d+ x$/.test(pays) ? text("sign.pays.times", { times: pays.replace(" x", "") }) : pays;
}

/** @param {string} prize */
export function prizeName(prize) {
  return textOr(`prize.${prize}`, prize);
}

/** @param {Pot} pot */
export function bets(pot) {
  const [least, most] = [written(pot.least ?? 0, pot), written(pot.most ?? 0, pot)];
  return pot.least === pot.most ? text("sign.bet.one", { bet: least }) : text("sign.bet", { least, most });
}

/** @param {Pot} pot */
export function increments(pot) {
  return pot.added ? text("sign.added", { amount: written(pot.added, pot) }) : "";
}

/** @param {Pot} pot */
export function reserves(pot) {
  const known = Object.values(pot.reserves ?? {});
  return known.length === 1 ? text("sign.reserve", { amount: written(known[0], pot) }) : "";
}

/**
 * One line for a prize: where, what, how much, and how far it is.
 * @param {Prize} prize
 * @param {Pot | undefined} pot
 */
export function prizeLine(prize, pot) {
  const { award } = prize;
  const place = text("sign.place", { table: award.table, seat: award.seat }).replaceAll(" ", "\u00a0"); // a line breaks between two things, not within one
  const amount = award.waits ? text("sign.prize.undecided") : written(award.amount ?? 0, pot);
  const credits = award.promo ? ` ${text("sign.prize.promo")}` : "";
  return [place, prizeName(award.prize), `${amount}${credits}`, standingText(prize)].filter(Boolean).join("\u00a0· ");
}

/** @param {Prize} prize */
export function standingText(prize) {
  if (prize.standing === "verifying" && prize.isCorrected) return text("sign.prize.corrected");
  return text(`sign.prize.${prize.standing}`);
}

/**
 * Of an age in milliseconds, the largest unit of it.
 * @param {number} age
 */
export function ageText(age) {
  const seconds = Math.floor(age / 1000);
  if (!Number.isFinite(age)) return text("sign.no_link");
  if (seconds < 60) return text("sign.age", { age: text("age.seconds", { n: seconds }) });
  const minutes = Math.floor(seconds / 60);
  const age_ = minutes < 60 ? text("age.minutes", { n: minutes }) : text("age.hours", { n: Math.floor(minutes / 60) });
  return text("sign.age", { age: age_ });
}

