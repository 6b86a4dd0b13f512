/**
 * What concerns the whole node: the gaming day, plans that wait value by value, units and signs, the language of this screen.
 */

import { element } from "../ground/element.js";
import { reasonText } from "../ground/said.js";
import { openSheet } from "../ground/sheet.js";
import { switchLanguage, text, textOr } from "../ground/texts.js";
import * as acts from "./chief_acts.js";

/** @typedef {import("./floor.js").Floor} Floor */

const NONCE_BYTES = 32;

/** @param {Floor} floor */
export function openHouse(floor) {
  const leave = (/** @type {() => void} */ then) => () => {
    sheet.close();
    then();
  };
  const item = (/** @type {string} */ words, /** @type {() => void} */ then) => element("button", { type: "button", class: "first", click: leave(then) }, words);
  const day = floor.node?.day;
  /** @type {import("../ground/vocabulary.js").PlanEntity[]} */
  const plans = floor.live.all("plan/");
  const sheet = openSheet({
    title: text("chief.house"), kind: "more", cancel: text("sheet.done"),
    body: [
      day ? item(text("chief.day.close", { day }), () => closeDay(floor)) : item(text("chief.day.open"), () => openDay(floor)),
      ...plans.map((plan) => item(text("chief.plan", { pot: plan.pot }), () => openPlan(floor, plan.pot))),
      item(text("chief.clock"), () => floor.sign({ title: text("chief.clock"), confirm: text("chief.confirm"), roles: ["chief", "technician"], act: () => acts.noteClock(), done: () => floor.tell(text("chief.done")) })),
      item(text("chief.devices"), () => openDevices(floor)),
      item(text("language.other"), switchLanguage),
    ],
  });
}

/** whoever opens the day brings a number by chance, made here. @param {Floor} floor */
export function openDay(floor) {
  const nonce = [...crypto.getRandomValues(new Uint8Array(NONCE_BYTES))].map((part) => part.toString(16).padStart(2, "0")).join("");
  const field = element("input", { type: "date", value: today(floor.live.nodeTime), "aria-label": text("chief.day.which") });
  floor.sign({
    title: text("chief.day.open"), confirm: text("chief.day.open"), roles: ["chief", "administrator"],
    extra: [element("p", {}, text("chief.day.which")), field],
    act: () => (/^\d{4}-\d\d-\d\d$/.test(field.value) ? acts.openDay(field.value, nonce) : text("chief.day.which")),
    done: () => floor.tell(text("chief.day.opened", { day: field.value })),
  });
}

/** @param {Floor} floor */
function closeDay(floor) {
  /** @type {import("../ground/vocabulary.js").PotEntity[]} */
  const pots = floor.live.all("pot/");
  const asked = pots.flatMap((pot) => (pot.corrections ?? []).map((claim) => text("chief.day.close.asked", { claim, owner: pot.owner ?? "" })));
  floor.sign({
    title: text("chief.day.close", { day: floor.node?.day ?? "" }), confirm: text("chief.confirm"), roles: ["chief", "administrator"],
    extra: [text("chief.day.close.how"), ...asked].map((words) => element("p", {}, words)), act: () => acts.closeDay(), done: () => floor.tell(text("chief.day.closed")),
  });
}

/** The date on the wall of this room. @param {number} now */
function today(now) {
  const date = new Date(now);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
}

/**
 * what changes, value by value.
 * @param {Floor} floor
 * @param {string} pot
 */
export function openPlan(floor, pot) {
  /** @type {import("../ground/vocabulary.js").PlanEntity | undefined} */
  const plan = floor.live.one(`plan/${pot}`);
  if (!plan) return floor.tell(text("chief.plan.gone"), true);
  const changes = (plan.changes ?? []).map(({ key, old, new: now }) => element("tr", {}, element("th", { scope: "row" }, key), element("td", {}, old || "–"), element("td", { class: "new" }, now || "–")));
  const head = element("tr", {}, ...["chief.plan.key", "chief.plan.old", "chief.plan.new"].map((key) => element("th", { scope: "col" }, text(/** @type {import("../ground/texts.js").Key} */ (key)))));
  const waits = plan.missing?.length ? text("chief.plan.missing", { nodes: plan.missing.join(", ") }) : text("chief.plan.waits");
  const signed = text("chief.plan.signed", { who: [plan.by, plan.second].flatMap((one) => (one ? [floor.nameOf(one)] : [])).join(", "), resolution: plan.resolution });
  const sheet = openSheet({
    title: text("chief.plan", { pot }), confirm: text("chief.plan.withdraw"), kind: "plan-sheet", cancel: text("sheet.done"),
    body: [element("p", {}, signed), element("p", {}, plan.is_new ? text("chief.plan.is_new") : waits), element("table", { class: "changes" }, element("thead", {}, head), element("tbody", {}, ...changes))],
    confirmed: () => {
      sheet.close();
      floor.sign({ title: text("chief.plan.withdraw"), confirm: text("chief.confirm"), roles: ["administrator"], act: () => acts.withdrawPlan(pot), done: () => floor.tell(text("chief.done")) });
    },
  });
}

/** Units, signs and neighbours, as they answer. @param {Floor} floor */
function openDevices(floor) {
  /** @type {import("../ground/vocabulary.js").UnitEntity[]} */
  const units = floor.live.all("unit/");
  /** @type {import("../ground/vocabulary.js").SignSeenEntity[]} */
  const signs = floor.live.all("sign_seen/");
  /** @type {import("../ground/vocabulary.js").NeighbourEntity[]} */
  const neighbours = floor.live.all("neighbour/");
  const row = (/** @type {string} */ name, /** @type {string} */ state, /** @type {string} */ why, /** @type {boolean} */ isWrong) =>
    element("p", { class: "device", "data-grave": isWrong }, element("strong", {}, name), element("span", {}, state), element("span", { class: "dim" }, why));
  openSheet({
    title: text("chief.devices"), kind: "devices", cancel: text("sheet.done"),
    body: [
      ...units.map((one) => row(`${one.table} · ${one.line}/${one.number}`, textOr(`health.${one.health}`, one.health), [one.seats.length ? text("chief.seats", { seats: one.seats.join(", ") }) : "", reasonText(one.why ?? ""), ...(one.faults ?? []).map((fault) => textOr(`unit_fault.${fault}`, fault)), one.product ?? ""].filter(Boolean).join(" · "), one.health === "down")),
      ...signs.map((one) => row(`${text("enrol.use.sign")} ${one.line}/${one.number} · ${one.pot}`, textOr(`sign_state.${one.state}`, one.state), one.showing || one.amount, false)),
      ...neighbours.map((one) => row(one.neighbour, text(one.up ? "health.up" : "health.down"), one.waits ? text("chief.waiting_letters", { n: one.waits }) : "", !one.up)),
    ],
  });
}
