/**
 * What a chief asks, as the web process takes it: one function for each act, named as the node names it. Pure.
 */

/** @typedef {Record<string, unknown>} Body everything but id and persons */

/** @param {string} award @returns {Body} */
export const confirmAward = (award) => ({ ask: { ask: "confirm_award", award } });

/** @param {string} claim @param {string} reason @returns {Body} */
export const rejectClaim = (claim, reason) => ({ ask: { ask: "reject_claim", claim, reason } });

/** @param {string} award @param {number} amount @param {string} reason @returns {Body} */
export const advanceAward = (award, amount, reason) => ({ ask: { ask: "advance_award", award, amount, reason } });

/** @param {string} award @param {string} reason @returns {Body} */
export const setAside = (award, reason) => ({ ask: { ask: "set_award_aside", award, reason } });

/** @param {string} table @param {number} seat @returns {Body} */
export const signVoid = (table, seat) => ({ ask: { ask: "sign_void", table, seat } });

/** @param {string} table @param {number} seat @returns {Body} */
export const openSeat = (table, seat) => ({ ask: { ask: "open_seat", table, seat } });

/** @param {string} table @param {number} seat @returns {Body} */
export const clearFaults = (table, seat) => ({ do: "clear_faults", table, seat });

/** @param {string} table @returns {Body} */
export const startTraining = (table) => ({ ask: { ask: "start_training", table } });

/** @param {string} table @returns {Body} */
export const endTraining = (table) => ({ ask: { ask: "end_training", table } });

/** a number by chance of whoever opens the day. @param {string} day @param {string} nonce @returns {Body} */
export const openDay = (day, nonce) => ({ do: "open_day", day, nonce });

/** @returns {Body} */
export const closeDay = () => ({ do: "close_day" });

/** @param {string} pot @returns {Body} */
export const withdrawPlan = (pot) => ({ ask: { ask: "withdraw_plan", pot } });

/** @returns {Body} */
export const noteClock = () => ({ ask: { ask: "note_clock" } });
