/**
 * One seat on the felt: its number, its lamp as it shines now, its glass, the bet, the cards. Where nobody sits one can sit down.
 */

import { element, mark, say } from "../ground/element.js";
import { grouped, written } from "../ground/money.js";
import { cardsIn } from "./cards.js";
import { word } from "./words.js";

/** @typedef {import("./told.js").Seat} Seat */
/** @typedef {import("./told.js").Table} Table */

export class SeatCard {
  /** @param {number} number @param {() => void} sits */
  constructor(number, sits) {
    this.number = number;
    this.lamp = element("i", { class: "lamp", "aria-hidden": "true" });
    this.glass = element("span", { class: "glass" });
    this.bet = element("span", { class: "bet" });
    this.cards = element("span", { class: "faces" });
    this.hand = element("span", { class: "hand" });
    this.place = element("span", { class: "for-ears" });
    const head = element("span", { class: "head" }, element("b", {}, String(number)), this.lamp, this.glass);
    this.root = element("button", { type: "button", class: "seat", click: sits }, head, this.place, this.cards, this.hand, this.bet);
  }

  /**
   * @param {Seat} seat
   * @param {Table} table
   * @param {{isMine: boolean, isSitting: boolean}} who
   */
  show(seat, table, { isMine, isSitting }) {
    const isTaken = Boolean(seat.guest) && !isMine;
    mark(this.root, "data-lamp", seat.lamp);
    mark(this.root, "data-mine", isMine);
    mark(this.root, "data-taken", isTaken);
    mark(this.root, "data-trouble", Boolean(seat.trouble || seat.closed));
    mark(this.root, "data-won", Boolean(seat.hand));
    mark(this.root, "aria-pressed", isMine ? "true" : "false");
    mark(this.root, "disabled", isTaken);
    say(this.glass, glassOf(seat));
    const trouble = seat.trouble ? word(`trouble.${seat.trouble}`) : seat.closed ? word("felt.closed") : "";
    say(this.bet, trouble || (seat.bet ? written(seat.bet, table) : ""));
    cardsIn(this.cards, seat.cards ?? []);
    say(this.hand, seat.cards?.length ? (seat.hand ? word(`hand.${seat.hand}`) : word("felt.nothing")) : "");
    const place = word(isMine ? "felt.mine" : isTaken ? "felt.taken" : "felt.sit", { n: seat.seat });
    say(this.place, `${place}, ${word(`lamp.${seat.lamp}`)}`);
    mark(this.root, "data-free", !isSitting && !isTaken);
  }
}

/** What stands in its display; a slot has chips before it. @param {Seat} seat */
function glassOf(seat) {
  if (seat.gate !== undefined) return seat.gate ? "▾" : "▪";
  return seat.glass === undefined ? grouped(seat.credits ?? 0, 0) : seat.glass;
}
