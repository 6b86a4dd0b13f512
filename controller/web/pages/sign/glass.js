/**
 * The glass of a sign: each pot's amount, the board of what pays what, the strip below, the words of the law.
 *
 * Every pot is in sight always. With one pot there is room for the whole board; with more, its lines take turns on the
 * strip. Prizes have the strip first, and between two rounds of them the board's lines are seen. Amounts are fitted to the
 * width by the width of their letters, so no digit is ever cut. Beside a title stands one thing, the most urgent.
 */

import { element, fill, listIn, mark, say } from "../ground/element.js";
import { isAmount, written } from "../ground/money.js";
import { text } from "../ground/texts.js";
import { ageText, bets, increments, paytable, prizeLine, reserves } from "./lines.js";
import { Turns } from "./turns.js";

const LEAST_LETTERS = 9;
const LEAST_WIDTH = 3;
/** How wide letters are, in sizes of their own line: of bold condensed digits, with some room. */
const WIDTHS = { digit: 0.635, mark: 0.35, symbol: 0.6 };

/** @typedef {import("../ground/vocabulary.js").PotEntity} Pot */
/** @typedef {import("../ground/vocabulary.js").LayoutEntity} Layout */
/** @typedef {{pot: Pot, amount: number, age: number, freshness: import("./news.js").Freshness, rises: boolean}} PotShown */
/**
 * @typedef {object} Picture
 * @property {Layout | undefined} layout
 * @property {PotShown[]} pots
 * @property {import("./prizes.js").Prize[]} prizes
 * @property {number} now
 * @property {boolean} isService whether the node is out of service
 */

export class Glass {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.pots = element("section", { class: "pots" });
    this.board = element("dl", { class: "board", "data-must": "paytable" });
    this.strip = element("p", { class: "strip", role: "status", "data-must": "strip" });
    this.law = element("footer", { class: "law" });
    this.picture = element("main", {}, this.pots, this.board, this.strip, this.law);
    page.append(this.picture);
    this.turns = new Turns();
    this.showPots = listIn(this.pots, (/** @type {PotShown} */ one) => one.pot.pot, potPiece);
    /** @type {Record<string, number>} */
    this.amounts = {};
  }

  /** @param {Picture} picture */
  show(picture) {
    const { pots, layout } = picture;
    mark(this.picture, "data-pots", pots.length);
    mark(this.picture, "data-out", picture.isService);
    this.showPots(pots.map((one) => ({ ...one, layout })));
    this.#showBoard(pots);
    this.#showStrip(picture);
    this.#showLaw(layout);
  }

  /**
   * What stands on the glass in this instant, read from it: of each pot that is shown with an amount.
   * @returns {Record<string, number>}
   */
  shown() {
    const pieces = /** @type {HTMLElement[]} */ ([...this.pots.querySelectorAll(".amount[data-pot]")]);
    const read = pieces.filter((piece) => !piece.hidden).map((piece) => [piece.dataset.pot, Number((piece.textContent ?? "").replace(/\D/g, ""))]);
    return Object.fromEntries(read);
  }

  /** @param {PotShown[]} pots */
  #showBoard(pots) {
    const alone = pots.length === 1 ? pots[0].pot : undefined;
    mark(this.board, "hidden", !alone);
    const key = alone ? JSON.stringify([alone.paytable, alone.symbol, document.documentElement.lang]) : "";
    if (this.board.dataset.of === key || !alone) return;
    this.board.dataset.of = key;
    const rows = paytable(alone).reverse();
    fill(this.board, rows.map((row) => element("div", {}, element("dt", {}, row.hand), element("dd", {}, row.pays))));
  }

  /** @param {Picture} picture */
  #showStrip({ pots, prizes, now, isService }) {
    const lines = isService ? { prizes: [], rest: [text("sign.out")] } : stripLines(pots, prizes);
    const { line, prize } = this.turns.at(lines.prizes, lines.rest, now);
    say(this.strip, line);
    mark(this.strip, "data-prize", prize < 0 ? undefined : prizes[prize]?.standing);
    fit(this.strip, line.length);
  }

  /** @param {Layout | undefined} layout */
  #showLaw(layout) {
    const words = /** @type {const} */ (["responsible_play", "age", "resolution"]).map((name) => [name, layout?.[name] ?? ""]);
    const key = JSON.stringify(words);
    if (this.law.dataset.of === key) return;
    this.law.dataset.of = key;
    fill(this.law, words.filter(([, said]) => said).map(([name, said]) => element("p", { "data-must": name, "data-text": "legal" }, said)));
  }
}

/**
 * Prizes, and what may be bet, and where there is no board, what pays what.
 * @param {PotShown[]} pots
 * @param {import("./prizes.js").Prize[]} prizes
 */
export function stripLines(pots, prizes) {
  const potOf = new Map(pots.map(({ pot }) => [pot.pot, pot]));
  const told = prizes.map((prize) => prizeLine(prize, potOf.get(prize.award.pot ?? "")));
  const named = (/** @type {Pot} */ pot, /** @type {string} */ line) => (pots.length > 1 ? `${pot.title}: ${line}` : line);
  const rest = pots.flatMap(({ pot }) => {
    const pays = pots.length > 1 ? paytable(pot).map((row) => `${row.hand} ${row.pays}`) : [];
    return [bets(pot), increments(pot), ...pays].filter(Boolean).map((line) => named(pot, line));
  });
  return { prizes: told, rest: [...new Set(rest)] };
}

/**
 * One pot: title, marks, amount, age.
 * @param {PotShown} first
 */
function potPiece({ pot }) {
  const title = element("h1", {});
  const trains = element("p", { class: "trains" });
  const reserve = element("p", { class: "reserve" });
  const amount = element("p", { class: "amount", "data-pot": pot.pot, "data-must": `amount ${pot.pot}`, "data-text": "digits" });
  const words = element("p", { class: "words", "data-must": `words ${pot.pot}` });
  const age = element("p", { class: "age" });
  const root = element("article", { class: "pot", "data-pot": pot.pot }, element("header", {}, title, trains, reserve, age), amount, words);
  return { root, show };

  /** @param {PotShown & {layout?: Layout}} one */
  function show(one) {
    const isOld = one.freshness === "too_old";
    const isWithout = isOld || !isAmount(one.amount);
    say(title, one.pot.title);
    const tables = one.pot.training ? [] : (one.pot.trains ?? []);
    const isAged = one.freshness === "aged";
    say(trains, one.pot.training ? text("sign.training") : tables.length ? text("sign.trains", { tables: tables.join(", ") }) : "");
    mark(root, "data-training", one.pot.training ?? false);
    say(age, isAged ? ageText(one.age) : "");
    say(reserve, one.layout?.reserve && !isAged && !trains.textContent ? reserves(one.pot) : "");
    mark(amount, "hidden", isWithout);
    showAmount(amount, isWithout ? "" : written(one.amount, one.pot), one.pot.symbol);
    mark(words, "hidden", !isWithout);
    say(words, isOld ? `${text("sign.no_amount")} · ${ageText(one.age)}` : isWithout ? text("sign.no_amount") : "");
    fit(words, words.textContent?.length ?? 0);
    mark(root, "data-rises", one.rises);
  }
}

/**
 * An amount, its symbol smaller than its digits, as wide as it says; or words in its place.
 * @param {HTMLElement} piece
 * @param {string} said
 * @param {string} symbol
 */
export function showAmount(piece, said, symbol) {
  if (piece.textContent === said) return;
  const beside = said.startsWith(symbol) ? symbol : "";
  const digits = said.slice(beside.length);
  fill(piece, [element("span", { class: "symbol", "data-text": "text" }, beside), document.createTextNode(digits)]);
  const count = digits.replace(/[^\d\p{L}]/gu, "").length;
  const width = count * WIDTHS.digit + (digits.length - count) * WIDTHS.mark + beside.length * WIDTHS.symbol * WIDTHS.digit;
  piece.style.setProperty("--ems", Math.max(LEAST_WIDTH, width).toFixed(2));
}

/**
 * The width that a text needs, in letters: the style sheet makes it as large as that allows.
 * @param {HTMLElement} piece
 * @param {number} letters
 */
function fit(piece, letters) {
  const wanted = String(Math.max(LEAST_LETTERS, letters));
  if (piece.style.getPropertyValue("--letters") !== wanted) piece.style.setProperty("--letters", wanted);
}
