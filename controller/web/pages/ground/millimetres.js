/**
 * How large things are on this very screen: a button has its size in millimetres, and a bank card says what one is.
 *
 * A browser does not know the size of its screen. At enrolment somebody holds a card to it (85.60 mm wide, ISO/IEC 7810)
 * and draws a frame as wide; `--mm` is what came of it, and every size in every style sheet is a multiple of it.
 */

export const CARD_WIDTH = 85.6;
export const CARD_HEIGHT = 53.98;
const USUAL = 96 / 25.4;
const LEAST = 1.5;
const MOST = 20;
const KEPT = "pozo.mm";

/**
 * What a millimetre is in pixels of this page, as it was measured; the usual figure of a desk's screen before.
 * @param {Storage} [storage]
 * @returns {number}
 */
export function perMillimetre(storage = localStorage) {
  const kept = Number(storage.getItem(KEPT));
  return isPlausible(kept) ? kept : USUAL;
}

/**
 * @param {Storage} [storage]
 * @returns {boolean}
 */
export function isMeasured(storage = localStorage) {
  return isPlausible(Number(storage.getItem(KEPT)));
}

/**
 * @param {number} pixels a millimetre
 * @returns {boolean}
 */
export function isPlausible(pixels) {
  return pixels >= LEAST && pixels <= MOST;
}

/**
 * @param {number} pixels how wide the card was
 * @param {Storage} [storage]
 */
export function keepCard(pixels, storage = localStorage) {
  const found = pixels / CARD_WIDTH;
  if (!isPlausible(found)) throw new Error(`a card is not ${pixels} pixels wide`);
  storage.setItem(KEPT, String(found));
  apply(storage);
}

/**
 * Every size of the page follows from this.
 * @param {Storage} [storage]
 */
export function apply(storage = localStorage) {
  document.documentElement.style.setProperty("--mm", `${perMillimetre(storage)}px`);
}
