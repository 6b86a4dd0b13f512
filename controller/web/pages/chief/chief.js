/**
 * The chief's page: what waits for him on the left, the most urgent first; all tables at a glance on the right, quiet when normal.
 *
 * What is live becomes what is seen, at most once a frame, and once a second for what only time changes: the clocks of
 * verification. Whatever is tapped opens a sheet; nothing is asked without a PIN.
 */

import { shape } from "../croupier/drawings.js";
import { prizeText } from "../croupier/preview_lines.js";
import { element, listIn, mark, say } from "../ground/element.js";
import { written } from "../ground/money.js";
import { begin } from "../ground/start.js";
import { counted, text } from "../ground/texts.js";
import { openAward } from "./award_sheet.js";
import { Floor } from "./floor.js";
import { glance } from "./glance.js";
import { openDay, openHouse, openPlan } from "./house_sheet.js";
import { openTable } from "./table_sheet.js";
import { waits } from "./waits.js";

/** @typedef {import("./waits.js").Wait} Wait */
/** @typedef {import("./glance.js").Glance} Glance */
/** @typedef {import("../ground/texts.js").Key} Key */

const SECOND = 1000;
const SHAPES = /** @type {Record<string, string>} */ ({ between: "dash", open: "ring", locking: "hourglass", sealed: "lock" });
const KINDS = /** @type {Record<Wait["kind"], string>} */ ({ award: "hourglass", unsigned: "triangle", day: "moon", plan: "dash", dispute: "cut", sign: "cross", alarm: "triangle" });

class Page {
  /** @param {Floor} floor */
  constructor(floor) {
    this.floor = floor;
    this.isQueued = false;
    this.title = element("h1", {});
    this.day = element("span", { class: "day" });
    this.pots = element("div", { class: "pots" });
    this.told = element("p", { class: "told", role: "status", "aria-live": "polite" });
    this.clock = element("time", {});
    const house = element("button", { type: "button", class: "more", click: () => openHouse(floor) }, text("chief.house"));
    const bar = element("header", { class: "bar" }, element("div", { class: "where" }, this.title, this.day), this.pots, this.clock, house);
    this.waiting = element("div", { class: "waits" });
    this.none = element("p", { class: "quiet" }, text("chief.nothing"));
    this.tables = element("div", { class: "tables" });
    this.main = element("main", {}, element("section", { class: "waiting-side", "aria-label": text("chief.waiting") }, element("h2", {}, text("chief.waiting")), this.waiting, this.none), element("section", { class: "floor", "aria-label": text("chief.tables") }, this.tables, this.told));
    document.body.append(bar, this.main);
    this.showPots = listIn(this.pots, (/** @type {import("../ground/vocabulary.js").PotEntity} */ pot) => pot.pot, potPiece);
    this.showWaits = listIn(this.waiting, (/** @type {Wait} */ one) => one.key, (one) => new WaitRow(floor, one));
    this.showTables = listIn(this.tables, (/** @type {Glance} */ one) => one.table, (one) => new TableCard(floor, one));
    floor.tell = (words, isWrong = false) => {
      say(this.told, words);
      mark(this.told, "data-wrong", isWrong);
    };
    floor.live.onChange(() => this.queue());
    floor.live.onStanding(() => this.queue());
    setInterval(() => this.queue(), SECOND);
  }

  queue() {
    if (this.isQueued) return;
    this.isQueued = true;
    requestAnimationFrame(() => {
      this.isQueued = false;
      this.show();
    });
  }

  show() {
    const { floor } = this;
    const { node, tables, awards, live } = floor;
    this.main.inert = live.standing === "silent" || live.standing === "no_node";
    const state = node?.out_of_service ? text("state.out_of_service") : node?.stopping ? text("state.stopping") : "";
    say(this.title, [node ? `POZO · ${node.node}` : text("state.starting"), state].filter(Boolean).join(" · "));
    mark(this.title, "data-wrong", state !== "");
    say(this.day, node?.day ? text("table.day", { day: node.day }) : text("table.no_day"));
    const now = live.nodeTime;
    say(this.clock, now > 1e12 ? new Date(now).toLocaleTimeString("es-CL", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) : "");
    this.showPots(floor.pots.filter((pot) => !pot.training));
    const found = waits({
      awards, tables, seatsOf: (table) => floor.seatsOf(table), alarms: live.all("alarm/"), plans: live.all("plan/"),
      disputes: live.all("dispute/"), shown: live.all("shown/"), day: node ? node.day : "?", now,
    });
    this.showWaits(found);
    this.none.hidden = !node || found.length > 0; // of a node that has not spoken nobody says that all is well
    const pays = Map.groupBy(awards, (award) => award.table);
    this.showTables(tables.map((table) => glance(table, floor.seatsOf(table.table), pays.get(table.table)?.length ?? 0)));
  }
}

/** @param {import("../ground/vocabulary.js").PotEntity} first */
function potPiece({ title }) {
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

class WaitRow {
  /** @param {Floor} floor @param {Wait} wait */
  constructor(floor, wait) {
    this.floor = floor;
    this.wait = wait;
    this.words = element("strong", {});
    this.amount = element("span", { class: "amount" });
    this.detail = element("span", { class: "detail" });
    this.root = element("button", { type: "button", class: "wait", click: () => this.#go() }, element("span", { class: "mark" }, shape(KINDS[wait.kind])), this.words, this.amount, this.detail);
  }

  /** @param {Wait} wait */
  show(wait) {
    this.wait = wait;
    const { words, amount, detail } = wordsOf(this.floor, wait);
    say(this.words, words);
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
  if (wait.kind === "day") return { words: text("table.no_day"), amount: "", detail: text("chief.day.open") };
  if (wait.kind === "plan") return { words: text("chief.plan", { pot: wait.way.name }), amount: "", detail: text("chief.plan.waits") };
  if (wait.kind === "sign") return { words: text("chief.sign.wrong", { sign: wait.words ?? "" }), amount: "", detail: text("chief.sign.wrong.do") };
  if (wait.kind === "dispute") return { words: text("chief.dispute"), amount: "", detail: `${wait.words} · ${text("chief.dispute.do")}` };
  return { words: wait.words ?? "", amount: "", detail: wait.way.to === "none" ? "" : text("chief.alarm.look") };
}

class TableCard {
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
    say(this.matters, [shown.isTraining ? text("chief.training") : "", ...shown.matters.map(({ seat, matter }) => `${seat} ${text(/** @type {Key} */ (`matter.${matter}`))}`)].filter(Boolean).join(" · "));
    mark(this.root, "data-phase", shown.phase);
    mark(this.root, "data-training", shown.isTraining);
    mark(this.root, "data-matter", shown.matters.length > 0);
    mark(this.root, "data-grave", shown.isWrong);
  }
}

const floor = new Floor(await begin("chief", () => ["floor"]));
const page = new Page(floor);
await floor.readHouse();
page.queue();
