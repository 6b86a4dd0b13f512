/**
 * Where the picture stands just now: it wanders a little each minute, so that nothing burns into the glass. Pure.
 */

const STEP = 60_000;
const WAY = [0, 1, 2, 1, 0, -1, -2, -1];

/**
 * In thousandths of the glass's height, on a way of different lengths, so that every place is come to.
 * @param {number} now milliseconds
 * @returns {{x: number, y: number}}
 */
export function shiftAt(now) {
  const turn = Math.floor(now / STEP);
  return { x: WAY[turn % WAY.length], y: WAY[Math.floor(turn / 3) % WAY.length] };
}
