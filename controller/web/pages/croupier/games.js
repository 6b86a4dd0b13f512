/**
 * What the games differ in, as far as somebody who enters hands must know: how many cards are the player's own, how many lie
 * on the table for all. Which acts there are comes with the table's feed. Pure.
 */

const FIVE = 5;
/** @type {Record<string, number>} */
const ON_THE_TABLE = { go: 2, texas_plus: 3 };

/** @param {string | undefined} modality */
export const communityCount = (modality) => ON_THE_TABLE[modality ?? ""] ?? 0;

/** @param {string | undefined} modality */
export const ownCount = (modality) => FIVE - communityCount(modality);

/** From Poker up the cards are entered, not only the name. */
const NEED_CARDS = new Set(["poker", "escalera_color", "escalera_real"]);

/** @param {string} category */
export const needsCards = (category) => NEED_CARDS.has(category);

/** Low to high, as they are paid. */
export const CATEGORIES = ["escalera", "color", "full", "poker", "escalera_color", "escalera_real"];
