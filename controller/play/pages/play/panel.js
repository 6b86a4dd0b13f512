/**
 * What lies before who sits: his lamp, his buttons or his slot, his credits and bet, his cards; and what a careless hand could do.
 */

import { element, fill, mark, say } from "../ground/element.js";
import { written } from "../ground/money.js";
import { cardsIn } from "./cards.js";
import { mischief, told } from "./told.js";
import { word } from "./words.js";

const HANDS = ["color", "full", "poker", "escalera_color", "escalera_real"];

/** @typedef {import("./told.js").Seat} Seat */
/** @typedef {import("./told.js").Table} Table */

export class Panel {
  /**
   * @param {object} player
   * @param {(words: string) => void} player.does
   * @param {(hand: string) => void} player.wishes
   * @param {() => void} player.rises
   */
  constructor({ does, wishes, rises }) {
    this.does = does;
    this.number = element("b", { class: "number" });
    this.lamp = element("i", { class: "lamp", role: "img" });
    this.lampWord = element("span", { class: "lamp-word" });
    this.sentence = element("p", { class: "sentence", role: "status" });
    this.purse = element("p", { class: "purse" });
    this.keys = element("div", { class: "keys", role: "group", "aria-label": word("felt.yours") });
    this.cards = element("div", { class: "faces own" });
    this.breaking = element("div", { class: "breaking", role: "group", "aria-label": word("felt.break") });
    this.note = element("p", { class: "note", role: "status" });
    this.choose = element("p", { class: "choose" }, word("felt.choose"));
    const hands = HANDS.map((hand) => element("button", { type: "button", click: () => wishes(hand) }, word(`hand.${hand}`)));
    const wish = element("div", { class: "wish", role: "group", "aria-label": word("felt.wish") }, element("h2", {}, word("felt.wish")), ...hands, this.note);
    const rise = element("button", { type: "button", class: "rise", click: rises }, word("felt.rise"));
    const who = element("div", { class: "who" }, this.number, this.lamp, this.lampWord, rise);
    const middle = element("div", { class: "mine" }, this.sentence, this.keys, element("div", { class: "has" }, this.purse, this.cards));
    const more = element("div", { class: "more" }, wish, element("div", {}, element("h2", {}, word("felt.break")), this.breaking));
    this.seated = element("div", { class: "seated" }, who, middle, more);
    this.root = element("section", { class: "panel", "aria-label": word("felt.yours") }, this.choose, this.seated);
    this.made = "";
    this.broken = "";
  }

  /** @param {string} words */
  tell(words) {
    say(this.note, words);
  }

  /** @param {Table} table @param {Seat | undefined} seat */
  show(table, seat) {
    this.choose.hidden = seat !== undefined;
    this.seated.hidden = seat === undefined;
    if (!seat) return;
    say(this.number, String(seat.seat));
    mark(this.seated, "data-lamp", seat.lamp);
    mark(this.lamp, "aria-label", word(`lamp.${seat.lamp}`));
    say(this.lampWord, word(`lamp.${seat.lamp}`));
    const { key, why = "", hand = "", amount = 0 } = told(table, seat);
    say(this.sentence, word(key, { why, hand: hand ? word(`hand.${hand}`) : "", amount: written(amount, table) }));
    mark(this.sentence, "data-won", key.startsWith("tell.won") || key === "tell.sealed.won");
    const bet = seat.bet ? word("felt.bet", { amount: written(seat.bet, table) }) : word("felt.no_bet");
    const has = seat.gate === undefined ? [word("felt.credits", { n: seat.credits ?? 0 }), seat.promo ? word("felt.promo", { n: seat.promo }) : ""] : [word(seat.gate ? "felt.gate.open" : "felt.gate.shut")];
    say(this.purse, [bet, ...has].filter(Boolean).join(" · "));
    if (seat.hand) this.tell("");
    cardsIn(this.cards, seat.cards ?? [], word("felt.yours"));
    this.#showKeys(seat);
    this.#showBreaking(table, seat);
  }

  /** @param {Seat} seat */
  #showKeys(seat) {
    const made = `${seat.seat} ${(seat.keys ?? []).join()} ${seat.gate !== undefined}`;
    if (made !== this.made) {
      this.made = made;
      fill(this.keys, seat.gate === undefined ? (seat.keys ?? []).map((credits, at) => this.#button(seat.seat, credits, at + 1)) : [this.#slot(seat.seat)]);
    }
    (seat.keys ?? []).forEach((credits, at) => {
      const key = this.keys.children[at];
      if (key) mark(key, "data-down", (seat.down ?? []).includes(credits));
    });
  }

  /** @param {number} seat @param {number} credits @param {number} number */
  #button(seat, credits, number) {
    const name = word(credits === 1 ? "felt.credit" : "felt.credits.word");
    return element("button", { type: "button", class: "key", click: () => this.does(`seat ${seat} press ${number}`) },
      element("span", { class: "for-ears" }, word("felt.press")), element("b", {}, String(credits)), element("small", {}, name));
  }

  /** @param {number} seat */
  #slot(seat) {
    return element("button", { type: "button", class: "key slot", click: () => this.does(`seat ${seat} chip`) }, word("felt.chip"));
  }

  /** @param {Table} table @param {Seat} seat */
  #showBreaking(table, seat) {
    const found = mischief(table, seat);
    const broken = found.map((one) => one.does).join();
    if (broken === this.broken) return;
    this.broken = broken;
    fill(this.breaking, found.map(({ key, does }) => element("button", { type: "button", "data-does": does, click: () => this.does(does) }, word(`felt.${key}`))));
  }
}
