/**
 * One box on the chief's page: under its name, where there are several, its day, its pots and all its tables at a glance. A box that is
 * not heard is grey, with the age of what is seen, and the others are as they are.
 */

import { element, listIn, mark, say } from "../ground/element.js";
import { ageText } from "../ground/start.js";
import { text } from "../ground/texts.js";
import { glance } from "./glance.js";
import { openHouse } from "./house_sheet.js";
import { potPiece } from "./pot_piece.js";
import { TableCard } from "./table_card.js";

/** @typedef {import("./floor.js").Floor} Floor */
/** @typedef {import("./glance.js").Glance} Glance */
/** @typedef {import("../ground/vocabulary.js").PotEntity} Pot */

export class BoxPart {
  /** @param {Floor} floor @param {boolean} isAlone */
  constructor(floor, isAlone) {
    this.floor = floor;
    this.name = element("h2", {});
    this.state = element("span", { class: "state", role: "status" });
    const pots = element("div", { class: "pots" });
    const house = element("button", { type: "button", class: "more", click: () => openHouse(floor) }, text("chief.house"));
    const head = element("header", { class: "box-head" }, this.name, this.state, pots, house);
    const tables = element("div", { class: "tables" });
    this.root = element("section", { class: "box" }, ...(isAlone ? [tables] : [head, tables]));
    this.showPots = listIn(pots, (/** @type {Pot} */ pot) => pot.pot, potPiece);
    this.showTables = listIn(tables, (/** @type {Glance} */ one) => one.table, (one) => new TableCard(floor, one));
  }

  show() {
    const { floor } = this;
    say(this.name, floor.name);
    say(this.state, stateOf(floor));
    mark(this.root, "data-box", floor.name);
    mark(this.root, "data-old", !floor.isReady);
    this.showPots(floor.box ? floor.pots.filter((pot) => !pot.training) : []);
    const pays = Map.groupBy(floor.awards, (award) => award.table);
    this.showTables(floor.tables.map((table) => glance(table, floor.seatsOf(table.table), pays.get(table.table)?.length ?? 0)));
  }
}

/** @param {Floor} floor */
export function stateOf({ node, live, isReady }) {
  if (!live.isLive) return node ? text("chief.box.silent", { age: ageText(live.age) }) : text("chief.box.never");
  if (!isReady) return text("state.starting");
  if (node?.out_of_service) return text("state.out_of_service");
  if (node?.stopping) return text("state.stopping");
  return node?.day ? text("table.day", { day: node.day }) : text("table.no_day");
}
