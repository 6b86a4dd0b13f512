/**
 * Cards on the felt: face up, as many as there are, made anew only when other ones are dealt.
 */

import { face } from "../croupier/faces.js";
import { fill, mark } from "../ground/element.js";

/**
 * @param {Element} place
 * @param {string[]} cards
 * @param {string} [name] what they are, for who hears it read
 */
export function cardsIn(place, cards, name = "") {
  const dealt = cards.join(" ");
  if (place.getAttribute("data-cards") === dealt) return;
  mark(place, "data-cards", dealt);
  mark(place, "role", name && cards.length ? "group" : undefined);
  mark(place, "aria-label", name && cards.length ? name : undefined);
  fill(place, cards.map(face));
}
