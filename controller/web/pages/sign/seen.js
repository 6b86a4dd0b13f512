/**
 * Whether what must be seen is seen: on the glass whole, not covered, not clipped, and with enough contrast.
 *
 * A theme is somebody's style sheet, and so is a screen of another shape; neither may hide what the law or the house owes to
 * players. Each such piece is marked `data-must="NAME"` in the page. Its words must stand on a plain colour of their own,
 * because a contrast against a picture cannot be known. Who fails is named; sign.js then takes the theme away and says so.
 */

export const LEAST_CONTRAST = 4.5;
const LEAST_OPACITY = 0.95;

/**
 * The names of what cannot be seen.
 * @param {Document} page
 * @returns {string[]}
 */
export function unseen(page) {
  const pieces = /** @type {HTMLElement[]} */ ([...page.querySelectorAll("[data-must]")]);
  const wrong = pieces.filter((piece) => !piece.hidden && !isSeen(piece)).map((piece) => piece.dataset.must ?? "");
  return [...new Set(wrong)].sort();
}

/** @param {HTMLElement} piece */
function isSeen(piece) {
  return isVisible(piece) && isWhole(piece) && isOnTop(piece) && contrastOf(piece) >= LEAST_CONTRAST;
}

/** @param {HTMLElement} piece */
function isVisible(piece) {
  if (!piece.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) return false;
  for (let at = /** @type {HTMLElement | null} */ (piece); at; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (Number(style.opacity) < LEAST_OPACITY || /blur|opacity|invert/.test(style.filter) || style.clipPath !== "none") return false;
  }
  return parseFloat(getComputedStyle(piece).fontSize) > 0;
}

/**
 * Inside the glass, and inside whatever cuts it off.
 * @param {HTMLElement} piece
 */
function isWhole(piece) {
  const box = piece.getBoundingClientRect();
  const slack = 1;
  const isInside = box.left >= -slack && box.top >= -slack && box.right <= innerWidth + slack && box.bottom <= innerHeight + slack;
  const isUncut = piece.scrollWidth <= piece.clientWidth + slack && piece.scrollHeight <= piece.clientHeight + 0.35 * box.height;
  return isInside && isUncut && box.width > 0 && box.height > 0;
}

/**
 * An element around it that is met first means that something of that element's own lies over it.
 * @param {HTMLElement} piece
 */
function isOnTop(piece) {
  const box = piece.getBoundingClientRect();
  const places = [0.02, 0.5, 0.98].map((part) => [box.left + box.width * part, box.top + box.height / 2]);
  return places.every(([x, y]) => {
    return piece.contains(piece.ownerDocument.elementFromPoint(x, y));
  });
}

/**
 * Of its words against the plain colour behind them; 0 where that is no plain colour.
 * @param {HTMLElement} piece
 */
function contrastOf(piece) {
  const ink = parts(getComputedStyle(piece).color);
  for (let at = /** @type {HTMLElement | null} */ (piece); at; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.backgroundImage !== "none") return 0;
    const ground = parts(style.backgroundColor);
    if (ground && ground.opacity >= 1) return ink && ink.opacity >= 1 ? contrast(ink, ground) : 0;
    if (ground && ground.opacity > 0) return 0;
  }
  return 0;
}

/** @typedef {{red: number, green: number, blue: number, opacity: number}} Colour */

/**
 * What `getComputedStyle` says of a colour.
 * @param {string} colour
 * @returns {Colour | null}
 */
export function parts(colour) {
  const found = /^rgba?\((\d+), (\d+), (\d+)(?:, ([\d.]+))?\)$/.exec(colour);
  return found && { red: Number(found[1]), green: Number(found[2]), blue: Number(found[3]), opacity: Number(found[4] ?? 1) };
}

/**
 * As WCAG 2 defines it: from 1 to 21.
 * @param {Colour} one
 * @param {Colour} other
 */
export function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {Colour} colour */
function luminance({ red, green, blue }) {
  const [r, g, b] = [red, green, blue].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
