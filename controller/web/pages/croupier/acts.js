/**
 * What a croupier asks, as the web process takes it: one function for each act, named as the node names it. Pure.
 */

import { asHands } from "./draft.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {Record<string, unknown>} Body everything but id and persons */

/** @param {string} table @returns {Body} */
export const openNext = (table) => ({ do: "unlock", table });

/** @param {string} table @returns {Body} */
export const lock = (table) => ({ ask: { ask: "lock", table } });

/** @param {string} table @returns {Body} */
export const closePass = (table) => ({ ask: { ask: "close_pass", table } });

/** @param {Draft} draft @param {boolean} isEnded @returns {Body} */
export function registerClaim(draft, isEnded) {
  const more = { ...(draft.community.length ? { community: draft.community } : {}), ...(isEnded ? { number: draft.pass } : {}) };
  return { ask: { ask: "register_claim", table: draft.table, hands: asHands(draft), ...more } };
}

/**
 * @param {Draft} draft
 * @param {{reason: string, recording?: string, resolution?: string}} why
 * @returns {Body}
 */
export function correctClaim(draft, { reason, recording, resolution }) {
  const community = draft.community.length ? { community: draft.community } : {};
  const proof = { ...(recording ? { recording } : {}), ...(resolution ? { resolution } : {}) };
  return { ask: { ask: "correct_claim", table: draft.table, number: draft.pass, hands: asHands(draft), reason, ...community, ...proof } };
}

/** @param {string} table @param {number} seat @param {number} credits @returns {Body} */
export const buyCredits = (table, seat, credits) => ({ ask: { ask: "buy_credits", table, seat, credits } });

/** @param {string} table @param {number} seat @returns {Body} */
export const cashOut = (table, seat) => ({ ask: { ask: "cash_out", table, seat } });

/** @param {string} table @param {number} seat @param {string} told @returns {Body} */
export const payOwed = (table, seat, told) => ({ ask: { ask: "pay_owed", table, seat, ...(told ? { told } : {}) } });

/** @param {string} table @param {number} seat @returns {Body} */
export const lampDark = (table, seat) => ({ ask: { ask: "lamp_dark", table, seat } });

/** @param {string} table @param {number} seat @param {string} reason @returns {Body} */
export const voidHand = (table, seat, reason) => ({ ask: { ask: "void_hand", table, seat, reason } });

/** @param {string} table @param {string} reason @returns {Body} */
export const voidPass = (table, reason) => ({ ask: { ask: "void_pass", table, reason } });

/** @param {string} table @param {number} seat @param {string} reason @returns {Body} */
export const closeSeat = (table, seat, reason) => ({ ask: { ask: "close_seat", table, seat, reason } });

/** @param {string} table @param {number} seat @param {string} prize @returns {Body} */
export const showCard = (table, seat, prize) => ({ ask: { ask: "show_card", table, prize, seat } });

/** @param {string} award @returns {Body} */
export const payAward = (award) => ({ ask: { ask: "pay_award", award } });

/** @param {string} table @returns {Body} */
export const lampTest = (table) => ({ do: "lamp_test", table });

/** @param {string} table @param {number[]} dark @returns {Body} */
export const tellLamps = (table, dark) => ({ ask: { ask: "tell_lamps", table, dark } });
