/**
 * The state of a table as a croupier must know it: a word, a shape, what can be done, and the one next thing. Pure.
 *
 * One state at a time, the gravest first. `next` names what the big button does: nothing, where the table waits for somebody
 * else. What the words are stands in the texts under the state's name.
 */

import { seatState } from "./seat_state.js";

/** @typedef {import("../ground/vocabulary.js").NodeEntity} NodeEntity */
/** @typedef {import("../ground/vocabulary.js").TableEntity} TableEntity */
/** @typedef {import("../ground/vocabulary.js").PotEntity} PotEntity */
/** @typedef {import("../ground/pulse.js").Standing} Standing */
/** @typedef {"none" | "open" | "reopen" | "lock" | "next" | "register"} Next */
/** @typedef {"starting" | "out_of_service" | "stopping" | "no_table" | "no_day" | "owner_silent" | "between" | "open" | "locking" | "sealed"} Name */

/**
 * @typedef {object} TableState
 * @property {Name} name
 * @property {string} shape of drawings.js
 * @property {boolean} isWrong something keeps the table from playing
 * @property {Next} next
 * @property {number[]} unproven
 */

/** @type {Record<Name, {shape: string, isWrong: boolean, next: Next}>} */
const STATES = {
  starting: { shape: "hourglass", isWrong: false, next: "none" },
  out_of_service: { shape: "cross", isWrong: true, next: "none" },
  stopping: { shape: "hourglass", isWrong: true, next: "none" },
  no_table: { shape: "cross", isWrong: true, next: "none" },
  no_day: { shape: "moon", isWrong: false, next: "none" },
  owner_silent: { shape: "cut", isWrong: true, next: "none" },
  between: { shape: "dash", isWrong: false, next: "open" },
  open: { shape: "ring", isWrong: false, next: "lock" },
  locking: { shape: "hourglass", isWrong: false, next: "none" },
  sealed: { shape: "lock", isWrong: false, next: "next" },
};

/**
 * @param {object} known
 * @param {Standing} known.standing
 * @param {NodeEntity} [known.node]
 * @param {TableEntity} [known.table]
 * @param {PotEntity} [known.pot]
 * @param {number} [known.now] the node's clock
 * @param {boolean} [known.isDraftReady] something of the sealed pass waits to be registered
 * @param {boolean} [known.isShut] the pass is open and no seat is: all came back and wait to be opened again
 * @returns {TableState}
 */
export function tableState(known) {
  const name = nameOf(known);
  const { shape, isWrong, next } = STATES[name];
  const isRegistering = name === "sealed" && known.isDraftReady;
  const wanted = isRegistering ? "register" : name === "open" && known.isShut ? "reopen" : next;
  return { name, shape, isWrong, next: wanted, unproven: name === "locking" ? (known.table?.unproven ?? []) : [] };
}

/**
 * @param {Parameters<typeof tableState>[0]} known
 * @returns {Name}
 */
function nameOf({ standing, node, table, pot, now = 0 }) {
  if (standing === "starting" || !node) return "starting";
  if (node.out_of_service) return "out_of_service";
  if (node.stopping) return "stopping";
  if (!table) return "no_table";
  if (!node.day && table.phase === "between") return "no_day";
  const isCutOff = pot?.owner !== undefined && !pot.up && Boolean(pot.closes) && now >= (pot.closes ?? 0);
  if (isCutOff && table.phase === "between") return "owner_silent";
  return table.phase;
}

/**
 * The seats that answer and stay locked although the pass is open: they came back, and somebody opens them again.
 * Not those that only the next pass opens.
 * @param {TableEntity | undefined} table
 * @param {import("../ground/vocabulary.js").SeatEntity[]} seats
 */
export function shutSeats(table, seats) {
  if (table?.phase !== "open") return [];
  return seats.filter((seat) => seat.unit_locked && !seat.closed && seat.health === "up" && seat.waits !== "pass").map((seat) => seat.seat);
}

/**
 * The seats without a bet that are out until the next pass: their unit locked itself with a bet of another seat.
 * @param {TableEntity | undefined} table
 * @param {import("../ground/vocabulary.js").SeatEntity[]} seats
 */
export function seatsOfTheNextPass(table, seats) {
  return table ? seats.filter((seat) => seatState(seat, table).matter === "next_pass").map((seat) => seat.seat) : [];
}

/**
 * The pass whose winners may be entered now: the sealed one, and until the next seal the one that ended last.
 * @param {TableEntity | undefined} table
 * @returns {number} 0: none
 */
export function passToEnter(table) {
  if (!table) return 0;
  return table.phase === "sealed" ? table.number : (table.last_sealed ?? 0);
}
