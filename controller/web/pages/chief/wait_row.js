/**
 * What waits, as a line on the left: words, an amount, what to do; a tap leads to where it is done.
 */

import { shape } from "../croupier/drawings.js";
import { prizeText } from "../croupier/preview_lines.js";
import { element, mark, say } from "../ground/element.js";
import { written } from "../ground/money.js";
import { text } from "../ground/texts.js";
import { openAward } from "./award_sheet.js";
import { stateOf } from "./box_part.js";
import { openDay, openPlan } from "./house_sheet.js";
import { openTable } from "./table_sheet.js";

/** @typedef {import("./floor.js").Floor} Floor */
/** @typedef {import("./waits.js").Wait} Wait */
/** @typedef {import("../ground/texts.js").Key} Key */
/** @typedef {Wait & {floor: Floor}} WaitOfBox */

const KINDS = /** @type {Record<Wait["kind"], string>} */ ({ award: "hourglass", unsigned: "triangle", day: "moon", plan: "dash", dispute: "cut", asked: "hourglass", sign: "cross", alarm: "triangle", silent: "cut" });

export class WaitRow {
  /** @param {WaitOfBox} wait @param {boolean} isAlone whether there is one box */
  constructor(wait, isAlone) {
    this.floor = wait.floor;
    this.isAlone = isAlone;
    this.wait = wait;
    this.words = element("strong", {});
    this.amount = element("span", { class: "amount" });
    this.detail = element("span", { class: "detail" });
    this.root = element("button", { type: "button", class: "wait", click: () => this.#go() }, element("span", { class: "mark" }, shape(KINDS[wait.kind])), this.words, this.amount, this.detail);
  }

  /** @param {WaitOfBox} wait */
  show(wait) {
    this.wait = wait;
    const { words, amount, detail } = wordsOf(this.floor, wait);
    say(this.words, this.isAlone ? words : `${this.floor.name} · ${words}`);
    mark(this.root, "data-old", !this.floor.isReady);
    say(this.amount, amount);
    say(this.detail, detail);
    mark(this.root, "data-weight", wait.weight);
    mark(this.root, "data-kind", wait.kind);
    mark(this.root, "aria-disabled", wait.way.to === "none" ? "true" : undefined);
  }

  #go() {
    const { to, name } = this.wait.way;
    if (to === "award") openAward(this.floor, name);
    if (to === "table") openTable(this.floor, name);
    if (to === "plan") openPlan(this.floor, name);
    if (to === "day") openDay(this.floor);
  }
}

/**
 * @param {Floor} floor
 * @param {Wait} wait
 * @returns {{words: string, amount: string, detail: string}}
 */
function wordsOf(floor, wait) {
  if (wait.award) {
    const { award, standing, minutes, minutesLeft, isOverdue } = wait.award;
    const left = isOverdue ? text("award.overdue") : minutesLeft ? text("award.left", { n: minutesLeft }) : text("award.minutes", { n: minutes });
    return {
      words: `${text("chief.place", { table: award.table, seat: award.seat })} · ${prizeText(award.prize)}`,
      amount: award.waits ? text("award.unknown") : written(award.amount ?? 0, floor.pot(award.pot)),
      detail: `${text(/** @type {Key} */ (`award.${standing}`))} · ${left}${award.no_cards ? ` · ${text("award.no_cards")}` : ""}`,
    };
  }
  if (wait.kind === "unsigned" && wait.seat) {
    const amount = written(wait.seat.unsigned ?? 0, floor.potOf(wait.table ?? ""));
    return { words: `${text("chief.place", { table: wait.table ?? "", seat: wait.seat.seat })} · ${text("chief.sign_void")}`, amount, detail: text("chief.sign_void.how") };
  }
  if (wait.kind === "asked") return { words: text("chief.asked", { claim: wait.words ?? "" }), amount: "", detail: text("chief.asked.of", { owner: wait.owner ?? "" }) };
  if (wait.kind === "silent") return { words: text("chief.box.cut"), amount: "", detail: stateOf(floor) };
  if (wait.kind === "day") return { words: text("table.no_day"), amount: "", detail: text("chief.day.open") };
  if (wait.kind === "plan") return { words: text("chief.plan", { pot: wait.way.name }), amount: "", detail: text("chief.plan.waits") };
  if (wait.kind === "sign") return { words: text("chief.sign.wrong", { sign: wait.words ?? "" }), amount: "", detail: text("chief.sign.wrong.do") };
  if (wait.kind === "dispute") return { words: text("chief.dispute"), amount: "", detail: `${wait.words} · ${text("chief.dispute.do")}` };
  return { words: wait.words ?? "", amount: "", detail: wait.way.to === "none" ? "" : text("chief.alarm.look") };
}
