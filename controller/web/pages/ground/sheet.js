/**
 * A sheet over the page for one thing: it keeps the focus, Esc leaves it, and cancel stands always in the same place.
 *
 * Bottom left is cancel, bottom right what confirms, on every sheet of every page. What confirms sleeps for a moment after
 * the sheet opened, stands elsewhere if the finger that opened it would lie on it, and has one id for as long as the
 * sheet is open.
 */

import { element, mark, say } from "./element.js";
import { Nap, keepAway } from "./guard.js";
import { newId } from "./key.js";
import { perMillimetre } from "./millimetres.js";
import { text } from "./texts.js";

/**
 * @typedef {object} SheetOrder
 * @property {string} title
 * @property {import("./element.js").Child[]} body
 * @property {string} [confirm] the word on what confirms; without one the sheet has none
 * @property {string} [cancel]
 * @property {string} [kind] a class for the style sheet
 * @property {(sheet: Sheet) => void} [confirmed]
 * @property {() => void} [closed]
 */

export class Sheet {
  /** @param {SheetOrder} order */
  constructor(order) {
    this.id = newId();
    this.order = order;
    this.nap = new Nap();
    this.isBusy = false;
    this.note = element("p", { class: "note", role: "status", "aria-live": "polite" });
    const cancel = element("button", { type: "button", class: "cancel", click: () => this.close() });
    cancel.append(order.cancel ?? text("sheet.cancel"));
    this.confirm = element("button", { type: "button", class: "confirm first", click: () => this.press() });
    say(this.confirm, order.confirm ?? "");
    this.confirm.hidden = order.confirm === undefined;
    const title = element("h1", { id: `sheet-${this.id}` }, order.title);
    this.title = title;
    const main = element("div", { class: "sheet-body" }, ...order.body);
    const foot = element("footer", {}, cancel, this.note, this.confirm);
    this.dialog = element("dialog", { class: `sheet ${order.kind ?? ""}`, "aria-labelledby": title.id }, title, main, foot);
    this.dialog.addEventListener("close", () => {
      this.dialog.remove();
      order.closed?.();
    });
  }

  open() {
    document.body.append(this.dialog);
    this.dialog.showModal();
    this.rest("open");
    return this;
  }

  /**
   * What confirms means something else now: it sleeps, and keeps from under the finger.
   * @param {string} meaning
   */
  rest(meaning) {
    this.nap.means(`${this.id} ${meaning}`, performance.now());
    keepAway(this.confirm, perMillimetre());
    this.#showWhetherAwake();
  }

  /** It leaves the page at once: the browser tells of its end a moment later, when another may be open already. */
  close() {
    this.dialog.close();
    this.dialog.remove();
  }

  /**
   * A sentence beside the buttons; `isWrong` where something has to be done about it.
   * @param {string} words
   * @param {boolean} [isWrong]
   */
  tell(words, isWrong = false) {
    say(this.note, words);
    mark(this.note, "data-wrong", isWrong);
  }

  /** @param {boolean} isBusy */
  busy(isBusy) {
    this.isBusy = isBusy;
    this.#showWhetherAwake();
  }

  /** A button that sleeps looks as if it could not be pressed, for it cannot. */
  #showWhetherAwake() {
    const left = this.nap.left(performance.now());
    mark(this.confirm, "aria-disabled", this.isBusy || left > 0 ? "true" : undefined);
    if (left > 0) setTimeout(() => this.#showWhetherAwake(), left + 1);
  }

  /** What confirms was pressed, by whatever means. */
  press() {
    if (this.isBusy || !this.nap.press(performance.now())) return;
    this.order.confirmed?.(this);
  }
}

/** @param {SheetOrder} order */
export function openSheet(order) {
  return new Sheet(order).open();
}
