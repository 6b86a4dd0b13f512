/**
 * The table as the croupier sees it: the half-moon with its seats, in its middle the state of the pass in a word and a shape,
 * and before him the one button that does the next thing.
 */

import { element, fill, mark, say } from "../ground/element.js";
import { Nap } from "../ground/guard.js";
import { counted, text, textOr } from "../ground/texts.js";
import { shape } from "./drawings.js";
import { places } from "./halfmoon.js";
import { SeatView } from "./seat_view.js";

/** @typedef {import("./table_state.js").TableState} TableState */

const CHANGED = 500;
/** Milliseconds that a sentence about what was done stays: by then the money is in somebody's hand. */
const TOLD_FOR = 45_000;

export class Felt {
  /**
   * @param {object} does
   * @param {(seat: number) => void} does.tapped
   * @param {(next: import("./table_state.js").Next) => void} does.next
   */
  constructor({ tapped, next }) {
    this.tapped = tapped;
    /** @type {SeatView[]} */
    this.seats = [];
    this.nap = new Nap(CHANGED);
    this.next = /** @type {import("./table_state.js").Next} */ ("none");
    this.shape = element("span", { class: "state-shape" });
    this.word = element("strong", {});
    this.what = element("p", {});
    this.told = element("p", { class: "told", role: "status" });
    this.state = element("div", { class: "state", role: "status" }, element("div", { class: "state-head" }, this.shape, this.word), this.what);
    this.button = element("button", { type: "button", class: "next first", click: () => this.#press(next) });
    this.places = element("div", { class: "places" });
    const moon = element("div", { class: "half-moon", "aria-hidden": "true" });
    this.root = element("section", { class: "felt", "aria-label": text("table.felt") }, moon, this.places, this.state, this.told, this.button);
    this.shownShape = "";
    this.isBusy = false;
    this.toldAt = 0;
  }

  /**
   * @param {import("./seat_view.js").SeatShown[]} seats
   */
  showSeats(seats) {
    if (seats.length !== this.seats.length) this.#seat(seats.length);
    seats.forEach((shown, at) => this.seats[at]?.show(shown));
  }

  /**
   * @param {TableState} state
   * @param {object} more
   * @param {string} more.what what can be done, where it is not the usual
   * @param {string} more.label of the button
   * @param {string} more.meaning of the button: with another one it sleeps for a moment
   * @param {boolean} more.isBusy
   */
  showState(state, { what, label, meaning, isBusy }) {
    if (state.shape !== this.shownShape) fill(this.shape, [shape(state.shape)]);
    this.shownShape = state.shape;
    const missing = state.unproven.length ? counted("seats.missing", state.unproven.length, { seats: state.unproven.join(", ") }) : "";
    say(this.word, text(`state.${state.name}`));
    this.word.style.setProperty("--letters", String(this.word.textContent?.length));
    say(this.what, `${missing} ${what || text(`state.${state.name}.do`)}`.trim());
    mark(this.root, "data-state", state.name);
    mark(this.root, "data-wrong", state.isWrong);
    if (performance.now() - this.toldAt > TOLD_FOR) say(this.told, "");
    this.next = state.next;
    this.nap.means(meaning, performance.now());
    say(this.button, isBusy ? text("next.busy") : label || textOr(`next.${state.next}`, state.next));
    this.isBusy = isBusy;
    this.#showWhetherAwake();
    mark(this.button, "data-next", state.next);
  }

  /**
   * A sentence about what was done, or why not.
   * @param {string} words
   * @param {boolean} [isWrong]
   */
  tell(words, isWrong = false) {
    this.toldAt = performance.now();
    say(this.told, words);
    mark(this.told, "data-wrong", isWrong);
  }

  /** Another state: what was said of the one before is over, unless it was said just now. */
  passOn() {
    if (performance.now() - this.toldAt > CHANGED) this.tell("");
  }

  /** @param {number} count */
  #seat(count) {
    this.seats = places(count).map(({ seat, x, y }) => {
      const view = new SeatView(seat, this.tapped);
      view.root.style.setProperty("--x", String(x));
      view.root.style.setProperty("--y", String(y));
      return view;
    });
    // Read and tabbed from seat 1 on.
    fill(this.places, this.seats.map((view) => view.root));
  }

  /** A button that means something new sleeps for a moment, and looks it. */
  #showWhetherAwake() {
    const left = this.nap.left(performance.now());
    mark(this.button, "aria-disabled", this.next === "none" || this.isBusy || left > 0 ? "true" : undefined);
    if (left > 0) setTimeout(() => this.#showWhetherAwake(), left + 1);
  }

  /** A seat, as if a finger had come down on it. @param {number} seat */
  tapSeat(seat) {
    this.seats.find((view) => view.seat === seat)?.root.click();
  }

  /** @param {(next: import("./table_state.js").Next) => void} does */
  #press(does) {
    if (this.button.getAttribute("aria-disabled") || !this.nap.press(performance.now())) return;
    does(this.next);
  }
}
