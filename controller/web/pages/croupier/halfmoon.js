/**
 * Where the seats of a table lie for who deals at it: a half-moon, its flat side toward him, seat 1 at his right hand.
 *
 * Places are fractions of the felt's width and height. Pure.
 */

/** @typedef {{seat: number, x: number, y: number}} Place */

const CENTRE = { x: 0.5, y: 0.85 };
const REACH = { x: 0.41, y: 0.7 };
const FIRST = 0;
const STEPS = 720;

/**
 * @param {number} seats
 * @returns {Place[]} in the order of their numbers, at equal distances along the edge
 */
export function places(seats) {
  const along = distances();
  const whole = along[STEPS] ?? 0;
  return Array.from({ length: seats }, (_, at) => {
    const wanted = seats > 1 ? (whole * at) / (seats - 1) : whole / 2;
    const step = along.findIndex((walked) => walked >= wanted - 1e-9);
    return { seat: at + 1, ...point(angle(step)) };
  });
}

/** @param {number} step */
const angle = (step) => FIRST + ((Math.PI - 2 * FIRST) * step) / STEPS;

/** @param {number} turned from the right end, against the clock */
function point(turned) {
  return { x: CENTRE.x + REACH.x * Math.cos(turned), y: CENTRE.y - REACH.y * Math.sin(turned) };
}

/** How far it is along the edge to each step. A felt is wider than high, so its width counts for more. */
function distances() {
  let walked = 0;
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const [here, before] = [point(angle(step)), point(angle(Math.max(0, step - 1)))];
    walked += Math.hypot((here.x - before.x) * 1.5, here.y - before.y);
    return walked;
  });
}
