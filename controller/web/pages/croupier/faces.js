/**
 * Cards as they are seen: a face large enough to be compared with the felt, and a key of the deck.
 */

import { element } from "../ground/element.js";
import { textOr } from "../ground/texts.js";
import { indexOf, rankOf, suitOf } from "./deck.js";
import { shape } from "./drawings.js";

/** @param {string} card */
export function cardText(card) {
  const rank = textOr(`rank.${rankOf(card)}`, indexOf(card));
  return textOr("card.name", card, { rank, suit: textOr(`suit.${suitOf(card)}`, suitOf(card)) });
}

/**
 * A card, face up.
 * @param {string} card
 */
export function face(card) {
  const index = element("b", { "aria-hidden": "true" }, indexOf(card));
  return element("span", { class: `face of-${suitOf(card)}`, role: "img", "aria-label": cardText(card) }, index, shape(`suit_${suitOf(card)}`));
}

/**
 * A place where a card will lie.
 */
export const emptyPlace = () => element("span", { class: "face empty", "aria-hidden": "true" });

/**
 * Cards and the places that are still empty.
 * @param {string[]} cards
 * @param {number} places
 */
export function row(cards, places) {
  return [...cards.map(face), ...Array.from({ length: Math.max(0, places - cards.length) }, emptyPlace)];
}
