/**
 * A table at a glance: its state in a word and a shape, and what at it is not as it should be. Quiet when normal. Pure.
 */

import { seatState } from "../croupier/seat_state.js";

/** @typedef {import("../ground/vocabulary.js").TableEntity} Table */
/** @typedef {import("../ground/vocabulary.js").SeatEntity} Seat */

/**
 * @typedef {object} Glance
 * @property {string} table
 * @property {string} phase
 * @property {number} pass
 * @property {number} bets how many seats have one
 * @property {number} pays how many awards of it wait
 * @property {{seat: number, matter: string}[]} matters
 * @property {boolean} isTraining
 * @property {boolean} isWrong
 */

/**
 * @param {Table} table
 * @param {Seat[]} seats
 * @param {number} pays
 * @returns {Glance}
 */
export function glance(table, seats, pays) {
  const states = seats.map((seat) => seatState(seat, table));
  const matters = states.filter((one) => one.matter).map(({ seat, matter }) => ({ seat, matter }));
  return {
    table: table.table,
    phase: table.phase,
    pass: table.number,
    bets: states.filter((one) => one.bet > 0).length,
    pays,
    matters,
    isTraining: Boolean(table.training),
    isWrong: states.some((one) => one.isGrave),
  };
}
