/**
 * A pot in one line: its amount, what of it is held, its reserves, and whether its owner is heard.
 */

import { element, mark, say } from "../ground/element.js";
import { written } from "../ground/money.js";
import { text } from "../ground/texts.js";

/** @param {import("../ground/vocabulary.js").PotEntity} first */
export function potPiece({ title }) {
  const amount = element("strong", {});
  const note = element("span", { class: "note" });
  const root = element("div", { class: "pot" }, element("span", { class: "title" }, title), amount, note);
  return { root, show };

  /** @param {import("../ground/vocabulary.js").PotEntity} pot */
  function show(pot) {
    say(amount, written(pot.main, pot));
    const held = pot.held ? text("chief.held", { amount: written(pot.held, pot) }) : "";
    const reserve = Object.values(pot.reserves ?? {}).map((one) => text("sign.reserve", { amount: written(one, pot) }));
    const far = pot.owner && !pot.up ? text("chief.cut", { owner: pot.owner }) : "";
    say(note, [far, held, ...reserve].filter(Boolean).join(" · "));
    mark(root, "data-wrong", far !== "");
  }
}
