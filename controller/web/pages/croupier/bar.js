/**
 * The bar above the felt: which table and pass, the pot and what may be bet, who signs, what time the node has.
 */

import { element, mark, say } from "../ground/element.js";
import { written } from "../ground/money.js";
import { text } from "../ground/texts.js";

export class Bar {
  /** @param {{who: () => void, more: () => void}} does */
  constructor({ who, more }) {
    this.table = element("h1", { class: "table" });
    this.pass = element("span", { class: "pass" });
    this.day = element("span", { class: "day" });
    this.pot = element("strong", { class: "pot" });
    this.title = element("span", { class: "pot-title" });
    this.limits = element("span", { class: "limits" });
    this.cut = element("strong", { class: "cut" });
    this.training = element("strong", { class: "training" }, text("table.training"));
    this.clock = element("time", {});
    this.who = element("button", { type: "button", class: "who-signs", click: who });
    const menu = element("button", { type: "button", class: "more", click: more }, text("table.more"));
    this.root = element("header", { class: "bar" },
      element("div", { class: "where" }, this.table, this.pass, this.day),
      element("div", { class: "money" }, this.title, this.pot, this.limits, this.cut, this.training),
      this.clock, this.who, menu);
  }

  /**
   * @param {object} shown
   * @param {string} shown.name
   * @param {import("../ground/vocabulary.js").TableEntity | undefined} shown.table
   * @param {import("../ground/vocabulary.js").PotEntity | undefined} shown.pot
   * @param {import("../ground/vocabulary.js").NodeEntity | undefined} shown.node
   * @param {string} shown.person
   * @param {number} shown.now
   */
  show({ name, table, pot, node, person, now }) {
    say(this.table, name);
    say(this.pass, table?.number ? text("table.pass", { n: table.number }) : "");
    say(this.day, node?.day ? text("table.day", { day: node.day }) : text("table.no_day"));
    say(this.title, pot?.title ?? "");
    say(this.pot, pot ? written(pot.main, pot) : "");
    say(this.limits, pot ? text("table.limits", { least: written(pot.least ?? 0, pot), most: written(pot.most ?? 0, pot) }) : "");
    const isCut = Boolean(pot?.owner) && !pot?.up;
    this.cut.hidden = !isCut;
    say(this.cut, isCut ? text("table.cut") : "");
    this.training.hidden = !table?.training;
    say(this.who, person || text("table.nobody"));
    mark(this.who, "data-nobody", !person);
    say(this.clock, now > 1e12 ? new Date(now).toLocaleTimeString("es-CL", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) : "");
  }
}
