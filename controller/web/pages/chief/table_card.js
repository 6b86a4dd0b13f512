/**
 * A table as a card: its state in a word and a shape, and what at it is not as it should be. A tap opens it.
 */

import { shape } from "../croupier/drawings.js";
import { element, mark, say } from "../ground/element.js";
import { counted, text } from "../ground/texts.js";
import { openTable } from "./table_sheet.js";

/** @typedef {import("./floor.js").Floor} Floor */
/** @typedef {import("./glance.js").Glance} Glance */
/** @typedef {import("../ground/texts.js").Key} Key */

const SHAPES = /** @type {Record<string, string>} */ ({ between: "dash", open: "ring", locking: "hourglass", sealed: "lock" });

export class TableCard {
  /** @param {Floor} floor @param {Glance} first */
  constructor(floor, { table }) {
    this.mark = element("span", { class: "mark" });
    this.phase = element("strong", { class: "phase" });
    this.pass = element("span", { class: "pass" });
    this.bets = element("span", { class: "bets" });
    this.matters = element("span", { class: "matters" });
    this.shownPhase = "";
    this.root = element("button", { type: "button", class: "table-card", click: () => openTable(floor, table) },
      element("b", { class: "name" }, table), this.mark, this.phase, this.pass, this.bets, this.matters);
  }

  /** @param {Glance} shown */
  show(shown) {
    if (this.shownPhase !== shown.phase) this.mark.replaceChildren(shape(SHAPES[shown.phase] ?? "cross"));
    this.shownPhase = shown.phase;
    say(this.phase, text(/** @type {Key} */ (`state.${shown.phase}`)));
    say(this.pass, text("table.pass", { n: shown.pass }));
    say(this.bets, [shown.bets ? counted("chief.bets", shown.bets) : "", shown.pays ? counted("chief.pays", shown.pays) : ""].filter(Boolean).join(" · "));
    say(this.matters, [shown.isTraining ? text("chief.training") : "", ...mattersSaid(shown)].filter(Boolean).join(" · "));
    mark(this.root, "data-phase", shown.phase);
    mark(this.root, "data-training", shown.isTraining);
    mark(this.root, "data-matter", shown.matters.length > 0);
    mark(this.root, "data-grave", shown.isWrong);
  }
}

/**
 * Each matter once, with all the seats that have it; a line never breaks between the two.
 * @param {Glance} shown
 */
function mattersSaid({ matters }) {
  const bySeat = Map.groupBy(matters, ({ matter }) => matter);
  return [...bySeat].map(([matter, at]) => `${at.map(({ seat }) => seat).join(", ")}\u00a0${text(/** @type {Key} */ (`matter.${matter}`))}`);
}
