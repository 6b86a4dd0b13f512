/**
 * Which line stands on the strip now: prizes at once and again and again, one line of the board between two rounds of them.
 *
 * A new prize, or one that stands otherwise, is seen in the next frame. Without prizes the board's lines take turns. Pure.
 */

export const TURN = 4000;

export class Turns {
  constructor() {
    this.since = 0;
    this.of = "";
    this.rest = 0;
  }

  /**
   * @param {string[]} prizes
   * @param {string[]} rest
   * @param {number} now milliseconds
   * @returns {{line: string, prize: number}} `prize`: which one it is; -1: none
   */
  at(prizes, rest, now) {
    const of = JSON.stringify(prizes);
    if (of !== this.of) {
      this.rest += this.#round(now, rest.length);
      this.of = of;
      this.since = now;
    }
    const turn = Math.floor((now - this.since) / TURN);
    if (!prizes.length) return { line: rest.length ? (rest[(this.rest + turn) % rest.length] ?? "") : "", prize: -1 };
    const round = prizes.length + Math.min(1, rest.length);
    const place = turn % round;
    if (place < prizes.length) return { line: prizes[place] ?? "", prize: place };
    return { line: rest[(this.rest + Math.floor(turn / round)) % rest.length] ?? "", prize: -1 };
  }

  /**
   * The board's lines go on where they were.
   * @param {number} now
   * @param {number} many
   */
  #round(now, many) {
    return many && this.of ? Math.floor((now - this.since) / TURN) % many : 0;
  }
}
