/**
 * What waits for a chief, the most urgent first: awards with their clock, signatures, plans, disputes, alarms. Pure but for the
 * language.
 *
 * Grave is what is late or wrong, due what a chief must do, and known what only goes on. Each thing leads somewhere: to the
 * award, the table, the plan it is about. What a table shows by itself when it is looked at is not said a second time.
 */

import { awardState } from "../croupier/award_state.js";
import { alarmText } from "../ground/said.js";

/** @typedef {import("../ground/vocabulary.js").AwardEntity} Award */
/** @typedef {import("../ground/vocabulary.js").TableEntity} Table */
/** @typedef {import("../ground/vocabulary.js").SeatEntity} Seat */
/** @typedef {import("../ground/vocabulary.js").AlarmEntity} Alarm */
/** @typedef {import("../ground/vocabulary.js").PlanEntity} Plan */
/** @typedef {import("../ground/vocabulary.js").PotEntity} Pot */
/** @typedef {import("../ground/vocabulary.js").DisputeEntity} Dispute */
/** @typedef {import("../ground/vocabulary.js").ShownEntity} Shown */
/** @typedef {"grave" | "due" | "known"} Weight */
/** @typedef {{to: "award" | "table" | "plan" | "day" | "none", name: string}} Way */
/**
 * @typedef {object} Wait
 * @property {string} key
 * @property {Weight} weight
 * @property {"award" | "unsigned" | "asked" | "day" | "plan" | "dispute" | "sign" | "alarm" | "silent"} kind
 * @property {Way} way
 * @property {number} since milliseconds of the node's clock; 0: nobody said
 * @property {number} waited milliseconds; 0: nobody said since when
 * @property {import("../croupier/award_state.js").AwardState} [award]
 * @property {Seat} [seat]
 * @property {string} [table]
 * @property {string} [words]
 * @property {string} [owner]
 */

const ORDER = { grave: 0, due: 1, known: 2 };

/**
 * @param {object} known
 * @param {Award[]} known.awards
 * @param {Table[]} known.tables
 * @param {(table: string) => Seat[]} known.seatsOf
 * @param {Alarm[]} known.alarms
 * @param {Plan[]} known.plans
 * @param {Pot[]} known.pots
 * @param {Dispute[]} known.disputes
 * @param {Shown[]} known.shown
 * @param {string | undefined} known.day
 * @param {number} known.now
 * @returns {Wait[]}
 */
export function waits({ awards, tables, seatsOf, alarms, plans, pots, disputes, shown, day, now }) {
  const tableOf = new Map(tables.map((table) => [table.table, table]));
  /** @type {Wait[]} */
  const found = [
    ...awards.map((award) => ofAward(award, tableOf.get(award.table), now)),
    ...tables.flatMap((table) => seatsOf(table.table).filter((seat) => seat.unsigned).map((seat) => ofVoid(table.table, seat))),
    ...(day ? [] : [made("day", "due", "day", { to: "day", name: "" })]),
    ...plans.map((plan) => made(`plan/${plan.pot}`, "known", "plan", { to: "plan", name: plan.pot })),
    ...pots.flatMap(ofCorrections),
    ...disputes.map((one) => ({ ...made(`dispute/${one.neighbour}/${one.number}`, "due", "dispute", nowhere()), words: one.why })),
    ...shown.filter((one) => one.silent || Object.keys(one.wrong ?? {}).length || one.unseen?.length).map((one) => ({ ...made(`sign/${one.sign}`, "due", "sign", nowhere()), words: one.sign })),
    ...alarms.map((alarm) => ofAlarm(alarm, tableOf, awards)),
  ];
  return found.map((one) => ({ ...one, waited: one.since ? now - one.since : 0 })).sort(byUrgency);
}

/**
 * Also of several boxes, whose clocks are their own.
 * @param {Wait} a
 * @param {Wait} b
 */
export function byUrgency(a, b) {
  return ORDER[a.weight] - ORDER[b.weight] || b.waited - a.waited;
}

/** Of a box that is not heard. @returns {Wait} */
export const silent = () => made("silent", "grave", "silent", nowhere());

/** @returns {Way} */
const nowhere = () => ({ to: "none", name: "" });

/**
 * @param {string} key
 * @param {Weight} weight
 * @param {Wait["kind"]} kind
 * @param {Way} way
 * @returns {Wait}
 */
function made(key, weight, kind, way) {
  return { key, weight, kind, way, since: 0, waited: 0 };
}

/**
 * @param {Award} award
 * @param {Table | undefined} table
 * @param {number} now
 * @returns {Wait}
 */
function ofAward(award, table, now) {
  const state = awardState(award, table, now);
  const weight = state.isOverdue ? "grave" : state.standing === "verify" ? "due" : "known";
  return { ...made(`award/${award.award}`, weight, "award", { to: "award", name: award.award }), since: award.since ?? 0, award: state };
}

/**
 * what was voided is handed out in cash once a chief has signed.
 * @param {string} table
 * @param {Seat} seat
 * @returns {Wait}
 */
function ofVoid(table, seat) {
  return { ...made(`unsigned/${table}/${seat.seat}`, "due", "unsigned", { to: "table", name: table }), seat, table };
}

/**
 * claims of a far pot of which its owner has still to say what they are, a late winner among them.
 * @param {Pot} pot
 * @returns {Wait[]}
 */
const ofCorrections = (pot) => (pot.corrections ?? []).map((claim) => ({ ...made(`asked/${claim}`, "known", "asked", nowhere()), words: claim, owner: pot.owner }));

/**
 * An alarm, and the place where something can be done about it.
 * @param {Alarm} alarm
 * @param {Map<string, Table>} tableOf
 * @param {Award[]} awards
 * @returns {Wait}
 */
function ofAlarm(alarm, tableOf, awards) {
  const [place = ""] = alarm.where.split("/");
  const award = awards.find((one) => one.award === alarm.where || one.award.startsWith(`${alarm.where}/`));
  /** @type {Way} */
  const way = award ? { to: "award", name: award.award } : tableOf.has(place) ? { to: "table", name: place } : nowhere();
  return { ...made(`alarm/${alarm.where}/${alarm.sentence}`, "grave", "alarm", way), words: alarmText(alarm) };
}
