/**
 * The amount that stands on the glass at an instant, on its way up to what is committed.
 *
 * Three rules. It is never above what is committed. A rise reaches each committed value within two seconds of the moment it
 * was heard, whatever rises behind it. A fall is shown at once, because what is not in the pot may not be promised. Pure:
 * whoever asks brings the time, in milliseconds of a clock that only goes forward. The numbers in between are no money:
 * they are the way a hand moves on a dial. To an amount that no browser can say nothing climbs: its digits would be a promise.
 */

import { isAmount } from "../ground/money.js";

export const CLIMB = 1800;

/** @typedef {{value: number, by: number}} Goal */

export class Rise {
  constructor() {
    /** @type {number | null} */
    this.from = null;
    this.since = 0;
    /** What was committed and is not reached yet, each with the moment by which it is. @type {Goal[]} */
    this.goals = [];
  }

  /**
   * The committed amount was heard.
   * @param {number} amount
   * @param {number} now
   */
  hear(amount, now) {
    if (this.goals.at(-1)?.value === amount) return; // told again, beside something else: its moment has not moved
    const shown = this.at(now);
    if (shown === null || amount <= shown || !isAmount(amount)) {
      this.from = amount;
      this.goals = [];
      return;
    }
    const open = this.goals.filter((goal) => goal.value > shown && goal.value < amount);
    this.from = shown;
    this.since = now;
    this.goals = [...open, { value: amount, by: now + CLIMB }];
  }

  /**
   * @param {number} now
   * @returns {number | null} null: nothing was heard yet
   */
  at(now) {
    if (this.from === null) return null;
    const { from, since } = this;
    return this.goals.reduce((most, goal) => Math.max(most, between(from, goal, since, now)), from);
  }

  /**
   * Whether it still moves, so that somebody must draw it again.
   * @param {number} now
   */
  isMoving(now) {
    const last = this.goals.at(-1);
    return last !== undefined && now < last.by;
  }
}

/**
 * @param {number} from
 * @param {Goal} goal
 * @param {number} since
 * @param {number} now
 */
function between(from, goal, since, now) {
  if (now >= goal.by) return goal.value;
  const part = Math.max(0, (now - since) / (goal.by - since));
  const eased = 1 - (1 - part) ** 2;
  return from + Math.floor((goal.value - from) * eased);
}
