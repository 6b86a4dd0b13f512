/**
 * Why something is done: one tap on a usual reason, or words of one's own. None is chosen beforehand.
 */

import { element, mark } from "../ground/element.js";
import { text, textOr } from "../ground/texts.js";

export class Reasons {
  /** @param {string[]} names of texts `reason.NAME` @param {() => void} [chosen] */
  constructor(names, chosen = () => {}) {
    this.words = "";
    this.own = element("input", { type: "text", maxlength: 120, autocomplete: "off", "aria-label": text("reason.write"), placeholder: text("reason.write") });
    this.own.addEventListener("input", () => this.#choose("", chosen));
    this.buttons = names.map((name) => {
      const words = textOr(`reason.${name}`, name);
      return element("button", { type: "button", "aria-pressed": "false", click: () => this.#choose(words, chosen) }, words);
    });
    this.root = element("div", { class: "reasons", role: "group", "aria-label": text("sign.reason") }, ...this.buttons, this.own);
  }

  /** The reason, or nothing. */
  get said() {
    return this.words || this.own.value.trim();
  }

  /** @param {string} words @param {() => void} chosen */
  #choose(words, chosen) {
    this.words = words;
    if (words) this.own.value = "";
    for (const button of this.buttons) mark(button, "aria-pressed", button.textContent === words ? "true" : "false");
    chosen();
  }
}
