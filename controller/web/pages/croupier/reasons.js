/**
 * Why something is done: one tap on a usual reason, or words of one's own. None is chosen beforehand.
 *
 * A usual reason is shown in the language of the page and goes on record in Spanish, as all that stands there. What looks like a
 * PIN is no reason: the record keeps its words for ever, and everybody reads them.
 */

import { element, mark } from "../ground/element.js";
import { isPin } from "../ground/pin.js";
import { recorded, text } from "../ground/texts.js";

/** @typedef {import("../ground/texts.js").Key} Key */

export class Reasons {
  /** @param {string[]} names of texts `reason.NAME` @param {() => void} [chosen] */
  constructor(names, chosen = () => {}) {
    /** @type {Key | null} */
    this.usual = null;
    this.own = element("input", { type: "text", maxlength: 120, autocomplete: "off", "aria-label": text("reason.write"), placeholder: text("reason.write") });
    this.own.addEventListener("input", () => this.#choose(null, chosen));
    this.buttons = new Map(names.map((name) => {
      const key = /** @type {Key} */ (`reason.${name}`);
      return [key, element("button", { type: "button", "aria-pressed": "false", click: () => this.#choose(key, chosen) }, text(key))];
    }));
    this.root = element("div", { class: "reasons", role: "group", "aria-label": text("sign.reason") }, ...this.buttons.values(), this.own);
  }

  /** The reason as it goes on record, or nothing. */
  get said() {
    const own = this.own.value.trim();
    return this.usual ? recorded(this.usual) : isPin(own) ? "" : own;
  }

  /** @param {Key | null} usual @param {() => void} chosen */
  #choose(usual, chosen) {
    this.usual = usual;
    if (usual) this.own.value = "";
    for (const [key, button] of this.buttons) mark(button, "aria-pressed", key === usual ? "true" : "false");
    chosen();
  }
}
