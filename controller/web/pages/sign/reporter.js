/**
 * What the page says of itself: the amounts that stand on the glass, and what must be seen and is not.
 *
 * It says so when it changed and then at least three times a minute, so that silence means that nobody looks after this
 * screen. What is said is read from the page, not from what the page was told: that is the point of it.
 */

const AGAIN = 20_000;
const SOON = 2_500;

export class Reporter {
  /** @param {import("../ground/api.js").Api} api */
  constructor(api) {
    this.api = api;
    this.said = "";
    this.saidAt = -AGAIN;
    this.isSaying = false;
  }

  /**
   * @param {Record<string, number>} pots
   * @param {string[]} unseen
   * @param {number} now
   */
  look(pots, unseen, now) {
    const words = JSON.stringify({ pots, unseen });
    const wait = words === this.said ? AGAIN : SOON;
    if (this.isSaying || now - this.saidAt < wait) return;
    this.isSaying = true;
    this.said = words;
    this.saidAt = now;
    void this.api.post("shown", { pots, unseen }).finally(() => (this.isSaying = false));
  }
}
