/**
 * How old an amount is, and what stands in its place when it is too old to be shown: nothing that stopped may look alive.
 *
 * Ten seconds without news: the amount stays, with its age. A minute: words in its place. Of a pot of another node its owner's
 * word counts, and of this one the node's. Pure; all times in milliseconds.
 */

export const AGED = 10_000;
export const TOO_OLD = 60_000;

/** @typedef {"fresh" | "aged" | "too_old"} Freshness */

/**
 * @param {number} age
 * @returns {Freshness}
 */
export function freshness(age) {
  return age >= TOO_OLD ? "too_old" : age >= AGED ? "aged" : "fresh";
}

/**
 * How old what is known of a pot is.
 * @param {{told?: number, owner?: string}} pot `told`: when its far owner spoke last, on the node's clock; 0: nobody knows
 * @param {number} nodeTime the node's clock now
 * @param {number} silence for how long nothing was heard of the node itself
 */
export function ageOf(pot, nodeTime, silence) {
  if (!pot.owner) return silence;
  if (!pot.told) return Number.POSITIVE_INFINITY;
  return Math.max(silence, nodeTime - pot.told);
}
