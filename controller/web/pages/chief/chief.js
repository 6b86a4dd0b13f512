/**
 * The chief's page: what waits for him on the left, the most urgent first; all tables at a glance on the right, quiet when normal.
 *
 * What is live becomes what is seen, at most once a frame, and once a second for what only time changes: the clocks of
 * verification. Whatever is tapped opens a sheet; nothing is asked without a PIN. Where the web reaches other boxes, all of theirs
 * is here too, each box under its name and as live as it is itself.
 */

import { BoxApi, floorOf } from "../ground/box.js";
import { element, listIn, mark, say } from "../ground/element.js";
import { beginAt } from "../ground/start.js";
import { text } from "../ground/texts.js";
import { BoxPart } from "./box_part.js";
import { Floor } from "./floor.js";
import { openHouse } from "./house_sheet.js";
import { potPiece } from "./pot_piece.js";
import { WaitRow } from "./wait_row.js";
import { byUrgency, silent, waits } from "./waits.js";

/** @typedef {import("./wait_row.js").WaitOfBox} WaitOfBox */

const SECOND = 1000;

class Page {
  /** @param {[Floor, ...Floor[]]} floors that of the web's own node first */
  constructor(floors) {
    const [own] = floors;
    const isAlone = floors.length === 1;
    this.floors = floors;
    this.own = own;
    this.isQueued = false;
    this.title = element("h1", {});
    this.day = element("span", { class: "day" });
    this.pots = element("div", { class: "pots" });
    this.told = element("p", { class: "told", role: "status", "aria-live": "polite" });
    this.clock = element("time", {});
    const house = element("button", { type: "button", class: "more", click: () => openHouse(own) }, text("chief.house"));
    const bar = element("header", { class: "bar" }, element("div", { class: "where" }, this.title, this.day), this.pots, this.clock, ...(isAlone ? [house] : []));
    this.waiting = element("div", { class: "waits" });
    this.none = element("p", { class: "quiet" });
    this.boxes = floors.map((floor) => new BoxPart(floor, isAlone));
    const boxes = element("div", { class: "boxes" }, ...this.boxes.map((box) => box.root));
    const waiting = element("section", { class: "waiting-side", "aria-label": text("chief.waiting") }, element("h2", {}, text("chief.waiting")), this.waiting, this.none);
    this.parts = [waiting, element("section", { class: "floor", "aria-label": text("chief.tables") }, boxes, this.told)];
    document.body.append(bar, element("main", {}, ...this.parts));
    this.showPots = listIn(this.pots, (/** @type {import("../ground/vocabulary.js").PotEntity} */ pot) => pot.pot, potPiece);
    this.showWaits = listIn(this.waiting, (/** @type {WaitOfBox} */ one) => one.key, (one) => new WaitRow(one, isAlone));
    for (const floor of floors) {
      floor.tell = (words, isWrong = false) => {
        say(this.told, words && !isAlone ? `${floor.name}: ${words}` : words);
        mark(this.told, "data-wrong", isWrong);
      };
      floor.live.onChange(() => this.queue());
    }
    begun.live.onStanding(() => this.queue());
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
    const { node, live, pots } = this.own;
    const isGone = live.standing === "silent" || (live.standing === "no_node" && this.floors.length === 1);
    for (const part of this.parts) part.inert = isGone;
    const state = node?.out_of_service ? text("state.out_of_service") : node?.stopping ? text("state.stopping") : "";
    say(this.title, [node ? `POZO · ${node.node}` : text("state.starting"), state].filter(Boolean).join(" · "));
    mark(this.title, "data-wrong", state !== "");
    say(this.day, node?.day ? text("table.day", { day: node.day }) : text("table.no_day"));
    const now = live.nodeTime;
    say(this.clock, now > 1e12 ? new Date(now).toLocaleTimeString("es-CL", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }) : "");
    this.showPots(pots.filter((pot) => !pot.training));
    const found = this.floors.flatMap(waitsOf).sort(byUrgency);
    this.showWaits(found);
    say(this.none, quietWords(this.floors));
    this.none.hidden = found.length > 0;
    for (const box of this.boxes) box.show();
    for (const floor of this.floors) void floor.needPeople();
  }
}

/** @param {Floor} floor @returns {WaitOfBox[]} */
function waitsOf(floor) {
  const { node, tables, awards, live, box } = floor;
  const found = waits({
    awards, tables, seatsOf: (table) => floor.seatsOf(table), alarms: live.all("alarm/"), plans: live.all("plan/"), pots: live.all("pot/"),
    disputes: live.all("dispute/"), shown: live.all("shown/"), day: node ? node.day : "?", now: live.nodeTime,
  });
  const all = box && live.standing === "no_node" ? [silent(), ...found] : found;
  return all.map((one) => ({ ...one, key: `${box}/${one.key}`, floor }));
}

/**
 * Where nothing waits. Of a node that has not spoken, or that does not play, nobody says that all is well.
 * @param {Floor[]} floors
 */
function quietWords(floors) {
  if (!floors.every((floor) => floor.node)) return text("state.starting.do");
  if (floors.some((floor) => floor.node?.out_of_service)) return text("state.out_of_service.do");
  return floors.some((floor) => floor.node?.stopping) ? text("state.stopping.do") : text("chief.nothing");
}

/** @param {import("../ground/api.js").Api} api */
async function boxesOf(api) {
  const answer = await api.get("house");
  return /** @type {import("../ground/vocabulary.js").House} */ (/** @type {unknown} */ (answer.reply)).boxes ?? [];
}

const begun = await beginAt("chief", async (api) => ["floor", ...(await boxesOf(api)).map(floorOf)]);
const page = new Page([new Floor(begun), ...[...begun.live.boxes].map(([box, live]) => new Floor({ api: new BoxApi(begun.api, box), live }, box))]);
page.queue();
