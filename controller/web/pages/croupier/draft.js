/**
 * What the croupier has entered of one pass and nobody has registered yet: all its winners, as one draft.
 *
 * A draft belongs to a table and a pass. Each change makes a new one; the old one stays as it was. A hand has a category or
 * cards (then the cards decide), and what its player did. No card stands in two places. Pure.
 */

import { communityCount, ownCount } from "./games.js";

/** @typedef {import("../ground/vocabulary.js").Hand} Hand */
/** @typedef {{seat: number, claimed: string, cards: string[], acts: string[]}} Entered */

/**
 * @typedef {object} Draft
 * @property {string} table
 * @property {number} pass
 * @property {string} modality
 * @property {string[]} community
 * @property {Entered[]} hands in the order of their seats
 * @property {boolean} corrects it was begun from what stands on record, and will stand in its place
 * @property {string} from what stood on record then
 */

/**
 * @param {string} table
 * @param {number} pass
 * @param {string | undefined} modality
 * @returns {Draft}
 */
export function newDraft(table, pass, modality) {
  return { table, pass, modality: modality ?? "", community: [], hands: [], corrects: false, from: "" };
}

/**
 * A pass as it stands on record, to be put right: all its winners, and what is added or changed.
 * @param {Draft} draft
 * @param {{hands: Hand[], community: string[]}} claimed
 * @returns {Draft}
 */
export function correcting(draft, { hands, community }) {
  const entered = hands.map(({ seat, acts, cards, claimed }) => ({ seat, acts: acts ?? [], cards: cards ?? [], claimed: cards?.length ? "" : (claimed ?? "") }));
  return { ...draft, community, hands: entered, corrects: true, from: JSON.stringify([entered, community]) };
}

/**
 * @param {Draft} draft
 * @param {number} seat
 * @returns {Entered}
 */
export function handOf(draft, seat) {
  return draft.hands.find((hand) => hand.seat === seat) ?? { seat, claimed: "", cards: [], acts: [] };
}

/** @param {Draft} draft */
export const isEmpty = (draft) => draft.hands.length === 0;

/**
 * Whether this hand says something that wins: a category, or all its cards.
 * @param {Draft} draft
 * @param {Entered} hand
 */
export const isWinner = (draft, hand) => hand.claimed !== "" || hand.cards.length === ownCount(draft.modality);

/**
 * Whether there is something to register, and nothing half entered.
 * @param {Draft} draft
 */
export function isReady(draft) {
  const wholeHands = draft.hands.every((hand) => hand.cards.length === 0 || hand.cards.length === ownCount(draft.modality));
  const withCards = draft.hands.some((hand) => hand.cards.length > 0);
  const community = draft.community.length === communityCount(draft.modality) || (draft.community.length === 0 && !withCards);
  return draft.hands.some((hand) => isWinner(draft, hand)) && wholeHands && community;
}

/**
 * The name of a category; the same once more takes it away. What was shown in cards is forgotten: the name stands alone.
 * @param {Draft} draft
 * @param {number} seat
 * @param {string} category
 */
export function claiming(draft, seat, category) {
  const hand = handOf(draft, seat);
  return withHand(draft, { ...hand, cards: [], claimed: hand.claimed === category ? "" : category });
}

/**
 * The cards that a hand holds itself; they decide, so a name is forgotten.
 * @param {Draft} draft
 * @param {number} seat
 * @param {string[]} cards
 */
export const holding = (draft, seat, cards) => withHand(draft, { ...handOf(draft, seat), claimed: "", cards });

/**
 * What a tap on a card of the deck does while this seat is entered: a card that it has goes back; another one comes to the
 * table as long as cards are missing there, then to the hand.
 * @param {Draft} draft
 * @param {number} seat 0: only the table's own cards
 * @param {string} card
 * @returns {Draft}
 */
export function tapping(draft, seat, card) {
  const hand = handOf(draft, seat);
  if (hand.cards.includes(card)) return holding(draft, seat, hand.cards.filter((one) => one !== card));
  if (draft.community.includes(card)) return { ...draft, community: draft.community.filter((one) => one !== card) };
  if (usedElsewhere(draft, seat).has(card)) return draft;
  if (draft.community.length < communityCount(draft.modality)) return { ...draft, community: [...draft.community, card] };
  if (seat === 0 || hand.cards.length >= ownCount(draft.modality)) return draft;
  return holding(draft, seat, [...hand.cards, card]);
}

/**
 * The cards that lie in other hands.
 * @param {Draft} draft
 * @param {number} seat
 */
export function usedElsewhere(draft, seat) {
  return new Set(draft.hands.filter((hand) => hand.seat !== seat).flatMap((hand) => hand.cards));
}

/**
 * What a player did, or did not after all.
 * @param {Draft} draft
 * @param {number} seat
 * @param {string} act
 */
export function acting(draft, seat, act) {
  const hand = handOf(draft, seat);
  const acts = hand.acts.includes(act) ? hand.acts.filter((one) => one !== act) : [...hand.acts, act];
  return withHand(draft, { ...hand, acts });
}

/**
 * @param {Draft} draft
 * @param {number} seat
 * @returns {Draft}
 */
export const without = (draft, seat) => ({ ...draft, hands: draft.hands.filter((hand) => hand.seat !== seat) });

/**
 * As the node takes it; fields that say nothing are left out.
 * @param {Draft} draft
 * @returns {Hand[]}
 */
export function asHands(draft) {
  return draft.hands.map(({ seat, claimed, cards, acts }) => ({
    seat,
    ...(acts.length ? { acts } : {}),
    ...(cards.length ? { cards } : {}),
    ...(claimed ? { claimed } : {}),
  }));
}

/**
 * A draft that a browser kept; nothing, where what it kept is none.
 * @param {string | null} text
 * @returns {Draft | null}
 */
export function readDraft(text) {
  try {
    const kept = JSON.parse(text ?? "null");
    const isDraft = typeof kept?.table === "string" && Number.isInteger(kept.pass) && typeof kept.modality === "string" && typeof kept.corrects === "boolean" && typeof kept.from === "string";
    return isDraft && isWords(kept.community) && Array.isArray(kept.hands) && kept.hands.every(isHand) ? kept : null;
  } catch {
    return null;
  }
}

/** @param {any} hand */
function isHand(hand) {
  return Number.isInteger(hand?.seat) && typeof hand.claimed === "string" && isWords(hand.cards) && isWords(hand.acts);
}

/** @param {any} words */
function isWords(words) {
  return Array.isArray(words) && words.every((word) => typeof word === "string");
}

/**
 * @param {Draft} draft
 * @param {Entered} hand one that says nothing is none
 * @returns {Draft}
 */
function withHand(draft, hand) {
  const rest = draft.hands.filter((one) => one.seat !== hand.seat);
  const saysNothing = !hand.claimed && !hand.cards.length && !hand.acts.length;
  const hands = saysNothing ? rest : [...rest, hand];
  return { ...draft, hands: hands.sort((one, other) => one.seat - other.seat) };
}
