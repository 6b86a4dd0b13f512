/**
 * The felt to play at: a table as its players see it, and a seat of it under this browser's fingers.
 *
 * What is shown is what the demo told last, five times a second while somebody looks: lamps, gates and glasses of the devices,
 * bets and prizes of the node, cards of the dealer. A finger is passed on as a finger; what comes of it is seen in the lamp.
 */

import { places } from "../croupier/halfmoon.js";
import { element, fill, mark, say } from "../ground/element.js";
import { apply } from "../ground/millimetres.js";
import { written } from "../ground/money.js";
import { applyLanguage, switchLanguage, text } from "../ground/texts.js";
import { does, look } from "./ask.js";
import { cardsIn } from "./cards.js";
import { Panel } from "./panel.js";
import { SeatCard } from "./seat.js";
import { phaseOf, turned } from "./told.js";
import { word } from "./words.js";

const LOOK = 200;
const LOOK_UNSEEN = 2000;
const STAY = 2500;

/** @typedef {import("./told.js").Table} Table */

class FeltPage {
  /** @param {string} table */
  constructor(table) {
    this.table = table;
    this.chosen = Number(sessionStorage.getItem(`pozo.seat.${table}`)) || 0;
    /** @type {SeatCard[]} */
    this.cards = [];
    this.game = element("span", { class: "game" });
    this.title = element("span", { class: "pot-title" });
    this.amount = element("strong", { class: "amount" });
    this.phase = element("strong", { class: "phase" });
    this.pass = element("span", { class: "pass" });
    this.dealer = element("p", { class: "dealer" });
    this.community = element("div", { class: "faces" });
    this.dealt = element("div", { class: "dealt", role: "status" });
    this.trouble = element("p", { class: "trouble", role: "status" });
    this.seats = element("div", { class: "seats" });
    this.panel = new Panel({ does: (words) => void this.#does(words), rises: () => this.#sit(0), wishes: (hand) => void this.#wishes(hand) });
    document.title = `pozo · ${word("felt.table", { table })}`;
    document.body.append(this.#bar(), this.#felt(), this.panel.root);
  }

  #bar() {
    const back = element("a", { class: "back", href: "./" }, `‹ ${word("felt.back")}`);
    const name = element("div", { class: "where" }, element("h1", {}, word("felt.table", { table: this.table })), this.game);
    const sign = element("div", { class: "sign" }, this.title, this.amount);
    const other = element("button", { type: "button", class: "language", click: switchLanguage }, text("language.other"));
    return element("header", { class: "bar" }, back, name, sign, other);
  }

  #felt() {
    const state = element("div", { class: "state", role: "status" }, this.phase, this.pass);
    const middle = element("div", { class: "middle" }, this.dealer, state, this.community, this.dealt, this.trouble);
    const view = element("p", { class: "view" }, word("felt.view"));
    return element("main", { class: "felt" }, element("div", { class: "moon", "aria-hidden": "true" }), this.seats, middle, view);
  }

  async follow() {
    setInterval(() => void this.#stay(), STAY);
    void this.#stay();
    for (;;) {
      const { isDone, said, why } = await look(`table?table=${encodeURIComponent(this.table)}`);
      mark(document.body, "data-away", !isDone);
      if (isDone) this.#show(said);
      else say(this.trouble, why || word("start.away"));
      await new Promise((resolve) => setTimeout(resolve, document.hidden ? LOOK_UNSEEN : LOOK));
    }
  }

  /** @param {Table} table */
  #show(table) {
    say(this.game, word(`game.${table.modality}`));
    say(this.title, table.title);
    say(this.amount, table.phase ? written(table.main, table) : "—");
    say(this.phase, word(`phase.${phaseOf(table)}`));
    say(this.pass, table.number ? word("felt.pass", { n: table.number }) : "");
    say(this.dealer, `${word("felt.dealer")}: ${word(`felt.dealer.${table.croupier}`)}`);
    mark(document.body, "data-phase", phaseOf(table) || "silent");
    cardsIn(this.community, table.community, word("felt.community"));
    this.#showDealt(table);
    if (this.cards.length !== table.seats.length) this.#lay(table.seats.length);
    const isSitting = this.chosen > 0;
    table.seats.forEach((seat, at) => this.cards[at]?.show(seat, table, { isMine: seat.seat === this.chosen, isSitting }));
    const mine = table.seats.find((seat) => seat.seat === this.chosen);
    this.panel.show(table, mine);
  }

  /** What the croupier in the next window has to enter. @param {Table} table */
  #showDealt(table) {
    const isDealt = table.seats.some((seat) => seat.cards?.length);
    this.dealt.hidden = !isDealt || table.phase !== "sealed";
    if (this.dealt.hidden) return;
    const winners = table.seats.filter((seat) => seat.hand);
    const lines = winners.map((seat) => word("felt.seat.hand", { n: seat.seat, hand: word(`hand.${seat.hand}`) }));
    const said = [word("felt.dealt", { n: table.number }), ...(lines.length ? lines : [word("felt.nobody")])];
    if (said.join() === this.saidOfDeal) return;
    this.saidOfDeal = said.join();
    const [head, ...rest] = said;
    fill(this.dealt, [element("b", {}, head ?? ""), ...rest.map((line) => element("span", {}, line))]);
  }

  saidOfDeal = "";

  /** @param {number} count */
  #lay(count) {
    this.cards = turned(places(count)).map(({ seat, x, y }) => {
      const card = new SeatCard(seat, () => this.#sit(seat));
      card.root.style.setProperty("--x", String(x));
      card.root.style.setProperty("--y", String(y));
      return card;
    });
    fill(this.seats, this.cards.map((card) => card.root));
  }

  /** @param {number} seat 0: he gets up */
  #sit(seat) {
    const before = this.chosen;
    this.chosen = seat;
    sessionStorage.setItem(`pozo.seat.${this.table}`, String(seat));
    if (before && before !== seat) void does("sit", { table: this.table, seat: before, stays: false });
    void this.#stay();
  }

  /** Who closes this window is gone after a while; the demo's players have his seat again. */
  async #stay() {
    if (this.chosen) await does("sit", { table: this.table, seat: this.chosen, stays: true });
  }

  /** @param {string} words */
  async #does(words) {
    const { isDone, why } = await does("touch", { table: this.table, does: words });
    say(this.trouble, isDone ? "" : why || word("start.away"));
  }

  /** @param {string} hand */
  async #wishes(hand) {
    const { isDone, why } = await does("hand", { table: this.table, seat: this.chosen, hand });
    this.panel.tell(isDone ? word("felt.wish.done", { hand: word(`hand.${hand}`) }) : why || word("start.away"));
  }
}

apply();
applyLanguage();
void new FeltPage(new URLSearchParams(location.search).get("table") ?? "").follow();
