/**
 * One seat on the felt: its number larger than all else, then lamp, bet, credits, and what is the matter.
 *
 * It is one button. Made once and shown anew; what cannot be tapped says why and stays readable.
 */

import { element, fill, mark, say } from "../ground/element.js";
import { written } from "../ground/money.js";
import { text, textOr } from "../ground/texts.js";
import { prizeText } from "./preview_lines.js";
import { shape } from "./drawings.js";

/** @typedef {import("./seat_state.js").SeatState} SeatState */
/** @typedef {import("./draft.js").Entered} Entered */

/**
 * @typedef {object} SeatShown
 * @property {SeatState} state
 * @property {import("../ground/money.js").Currency | undefined} currency
 * @property {Entered | null} hand what was entered for it, while something is entered
 * @property {string} hint what is said in place of credits, where something is entered
 * @property {boolean} mayTap
 */

export class SeatView {
  /**
   * @param {number} seat
   * @param {(seat: number) => void} tapped
   */
  constructor(seat, tapped) {
    this.seat = seat;
    this.number = element("b", { class: "number" }, element("span", { class: "for-ears" }, `${text("seat.word")} `), String(seat));
    this.lamp = element("span", { class: "lamp" });
    this.spoken = element("span", { class: "for-ears" });
    this.bet = element("span", { class: "bet" });
    this.credits = element("span", { class: "credits" });
    this.matter = element("span", { class: "matter" });
    this.shownLamp = "";
    const tap = () => this.root.getAttribute("aria-disabled") || tapped(seat);
    this.root = element("button", { type: "button", class: "seat", click: tap }, this.number, this.lamp, this.bet, this.credits, this.matter, this.spoken);
  }

  /** @param {SeatShown} shown */
  show({ state, currency, hand, hint, mayTap }) {
    if (state.lamp !== this.shownLamp) fill(this.lamp, [shape(`lamp-${state.lamp}`)]);
    this.shownLamp = state.lamp;
    const matter = state.matter ? textOr(`matter.${state.matter}`, state.matter) : "";
    say(this.bet, state.bet ? written(state.bet, currency) : "–");
    say(this.credits, hint || (hand ? handText(hand) : creditsText(state)));
    say(this.matter, matter);
    mark(this.root, "data-lamp", state.lamp);
    mark(this.root, "data-bet", state.bet > 0);
    mark(this.root, "data-matter", state.matter || undefined);
    mark(this.root, "data-grave", state.isGrave);
    mark(this.root, "data-entered", hand !== null);
    mark(this.root, "aria-disabled", mayTap ? undefined : "true");
    // Last, so that what is read begins with what is seen.
    say(this.spoken, ` ${textOr(`lamp.${state.lamp}`, state.lamp)}, ${text(state.bet ? "seat.bet" : "seat.no_bet")}`);
  }
}

/** @param {SeatState} state */
function creditsText({ credits, promo }) {
  if (promo) return text("seat.credits_promo", { n: credits, promo });
  return credits ? text("seat.credits", { n: credits }) : "";
}

/** @param {Entered} hand */
export function handText(hand) {
  if (hand.claimed) return prizeText(hand.claimed);
  if (hand.cards.length) return hand.cards.map((card) => (card.startsWith("T") ? "10" : card[0])).join(" ");
  return hand.acts.map((act) => textOr(`act.${act}`, act)).join(", ");
}
