/**
 * A pad for a PIN: large keys in the usual order, every digit a dot, and the keyboard works too.
 *
 * The digits stand here while they are typed and nowhere else; who asks for them gets them once and the pad forgets.
 */

import { element, fill, mark, say } from "./element.js";
import { text } from "./texts.js";

const LEAST = 6;
const MOST = 12;
const ORDER = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "back", "0", "done"];

/** Whether somebody typed a PIN here. @param {string} words */
export const isPin = (words) => /^\d+$/.test(words) && words.length >= LEAST && words.length <= MOST;

export class PinPad {
  /**
   * @param {{label: string, done: () => void}} order done: whoever types pressed the last key
   */
  constructor({ label, done }) {
    this.digits = "";
    this.done = done;
    this.told = element("span", { class: "for-ears" });
    this.dots = element("output", { class: "dots" }, this.told);
    this.keys = new Map(ORDER.map((name) => [name, this.#key(name)]));
    const keys = element("div", { class: "keys" }, ...this.keys.values());
    const told = element("p", { class: "pin-head" }, element("span", { class: "pin-label" }, label), this.dots);
    this.root = element("div", { class: "pin", role: "group", "aria-label": label, keydown: this.#typed }, told, keys);
    this.#show();
  }

  get isComplete() {
    return this.digits.length >= LEAST;
  }

  /** The digits, once: the pad is empty after it. */
  take() {
    const taken = this.digits;
    this.clear();
    return taken;
  }

  clear() {
    this.digits = "";
    this.#show();
  }

  focus() {
    this.keys.get("5")?.focus({ preventScroll: true });
  }

  /** @param {string} name */
  #key(name) {
    const words = name === "back" ? text("pin.back") : name === "done" ? text("pin.done") : name;
    return element("button", { type: "button", class: `key key-${name}`, click: () => this.#press(name) }, words);
  }

  /** @param {string} name */
  #press(name) {
    if (name === "done") {
      if (this.isComplete) this.done();
    } else if (name === "back") this.digits = this.digits.slice(0, -1);
    else if (this.digits.length < MOST) this.digits += name;
    this.#show();
  }

  #typed = (/** @type {KeyboardEvent} */ event) => {
    const name = { Backspace: "back", Enter: "done" }[event.key] ?? event.key;
    // Enter on a key that has the focus is that key's; only on a digit does it mean that the PIN is typed.
    if (!this.keys.has(name)) return;
    event.preventDefault();
    this.#press(name);
  };

  #show() {
    const places = Math.max(LEAST, this.digits.length);
    const dots = Array.from({ length: places }, (_, at) => element("i", { class: at < this.digits.length ? "dot full" : "dot" }));
    say(this.told, text("pin.digits", { n: this.digits.length }));
    fill(this.dots, [this.told, ...dots]);
    const done = this.keys.get("done");
    if (done) mark(done, "aria-disabled", this.isComplete ? undefined : "true");
  }
}
