/**
 * The cards, and the five that make an Escalera Real or an Escalera de Color. Pure.
 *
 * A card is written as the node writes it: rank and English suit, "As", "Th". Suits stand in the order in which a Spanish
 * speaking croupier says them: picas, corazones, diamantes, tréboles; ranks from the ace down.
 */

export const SUITS = /** @type {const} */ (["s", "h", "d", "c"]);
export const RANKS = /** @type {const} */ (["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2"]);
export const DECK = SUITS.map((suit) => RANKS.map((rank) => `${rank}${suit}`));

const LADDER = ["A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2", "A"];

/** @param {string} card */
export const rankOf = (card) => card[0] ?? "";

/** @param {string} card */
export const suitOf = (card) => card[1] ?? "";

/**
 * The rank as it stands on the card's face.
 * @param {string} card
 */
export const indexOf = (card) => (rankOf(card) === "T" ? "10" : rankOf(card));

/**
 * Five in sequence of one suit, from the highest down; "5" is the one that ends in the ace.
 * @param {string} high
 * @param {string} suit
 */
export function ladder(high, suit) {
  const at = LADDER.indexOf(high);
  if (at < 0 || at > LADDER.length - 5) throw new Error(`no five cards begin at ${high}`);
  return LADDER.slice(at, at + 5).map((rank) => `${rank}${suit}`);
}

/** The 36 of them that are no Escalera Real: nine in each suit, from king down to five. */
export const STRAIGHT_FLUSHES = SUITS.map((suit) => LADDER.slice(1, 10).map((high) => ({ high, suit, cards: ladder(high, suit) })));

/** The four of them that are. */
export const ROYALS = SUITS.map((suit) => ({ high: "A", suit, cards: ladder("A", suit) }));

/**
 * Of five cards, those that a player holds himself when these lie on the table; null: the table's are not all among them.
 * @param {string[]} cards
 * @param {string[]} community
 */
export function ownOf(cards, community) {
  if (!community.every((card) => cards.includes(card))) return null;
  return cards.filter((card) => !community.includes(card));
}
