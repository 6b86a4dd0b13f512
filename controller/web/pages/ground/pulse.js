/**
 * Whether what is shown is true now: the stream beats each second, and three seconds of silence end all trust in it.
 *
 * Pure: who asks brings the time, in milliseconds of a clock that only goes forward.
 */

export const SILENCE = 3000;

/** @typedef {"starting" | "live" | "silent" | "no_node"} Standing */

export class Pulse {
  /** @param {number} now */
  constructor(now) {
    this.since = now;
    /** @type {number | null} */
    this.heard = null;
    /** When the node was heard last, through whoever tells us. */
    this.true = now;
    this.node = true;
    /** The node's clock less ours, as the last beat had it. */
    this.ahead = 0;
  }

  /**
   * @param {number} now
   * @param {{at: number, node: boolean}} beat
   */
  beat(now, beat) {
    this.heard = now;
    this.node = beat.node;
    if (beat.node) this.true = now;
    if (beat.at) this.ahead = beat.at - now;
  }

  /**
   * @param {number} now
   * @returns {Standing}
   */
  standing(now) {
    if (this.heard === null) return now - this.since < SILENCE ? "starting" : "silent";
    if (now - this.heard >= SILENCE) return "silent";
    return this.node ? "live" : "no_node";
  }

  /**
   * How old the picture is, in whole seconds.
   * @param {number} now
   */
  age(now) {
    return Math.max(0, Math.floor((now - this.true) / 1000));
  }

  /**
   * The node's clock, as far as this page can know it.
   * @param {number} now
   */
  nodeTime(now) {
    return now + this.ahead;
  }
}
