/**
 * An amount of money that a person types, in whole minor units, written beside it as it will be read.
 */

import { element, say } from "../ground/element.js";
import { written } from "../ground/money.js";
import { text } from "../ground/texts.js";

const MOST = 12;

/** @param {import("../ground/money.js").Currency | undefined} currency */
export function askAmount(currency) {
  const shown = element("output", { class: "large-amount" });
  const field = element("input", { type: "text", inputmode: "numeric", autocomplete: "off", maxlength: MOST, "aria-label": text("chief.amount"), placeholder: text("chief.amount") });
  const root = element("div", { class: "amount-asked" }, field, shown);
  const read = () => (/^\d{1,12}$/.test(field.value) ? Number(field.value) : 0);
  field.addEventListener("input", () => say(shown, read() ? written(read(), currency) : ""));
  return {
    root,
    get said() {
      return read();
    },
  };
}
