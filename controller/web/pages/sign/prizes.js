/**
 * What the public is told of prizes: that one was registered, that it is confirmed, that it was withdrawn.
 *
 * A prize stands on the glass from the instant it is registered until it is paid. Confirmed, it is celebrated, once, for a
 * while. One that goes without having been confirmed was rejected or corrected away, and the public is told so in words: it
 * has seen the amount. What went while nothing was heard is not judged: nobody knows here how it ended. Pure.
 */

export const CELEBRATED = 18_000;
export const WITHDRAWN = 12_000;

/** @typedef {import("../ground/vocabulary.js").AwardEntity} Award */
/** @typedef {"verifying" | "waits" | "confirmed" | "withdrawn"} Standing */
/** @typedef {{award: Award, standing: Standing, isCorrected: boolean, since: number}} Prize */

export class Prizes {
  constructor() {
    /** @type {Map<string, Prize>} */
    this.known = new Map();
  }

  /**
   * The awards as they are now.
   * @param {Award[]} awards
   * @param {number} now
   * @param {boolean} wasHeard whether every change since the last time was heard
   */
  look(awards, now, wasHeard) {
    const there = new Set(awards.map((award) => award.award));
    for (const award of awards) this.known.set(award.award, this.#seen(award, now, wasHeard));
    for (const [name, prize] of [...this.known]) if (!there.has(name)) this.#went(name, prize, now, wasHeard);
  }

  /**
   * Those that are shown, in paying order; what was withdrawn last.
   * @param {number} now
   * @returns {Prize[]}
   */
  shown(now) {
    for (const [name, prize] of [...this.known]) {
      if (prize.standing === "withdrawn" && now - prize.since >= WITHDRAWN) this.known.delete(name);
    }
    return [...this.known.values()].sort((a, b) => place(a) - place(b));
  }

  /**
   * The one that is celebrated now: confirmed last.
   * @param {number} now
   * @returns {Prize | undefined}
   */
  celebrated(now) {
    const fresh = [...this.known.values()].filter(
      (prize) => prize.standing === "confirmed" && prize.since > 0 && now - prize.since < CELEBRATED,
    );
    return fresh.sort((a, b) => b.since - a.since)[0];
  }

  /**
   * @param {Award} award
   * @param {number} now
   * @param {boolean} wasHeard
   * @returns {Prize}
   */
  #seen(award, now, wasHeard) {
    const before = this.known.get(award.award);
    const standing = award.confirmed ? "confirmed" : award.waits ? "waits" : "verifying";
    const isCorrected = before !== undefined && (before.isCorrected || isOtherwise(before.award, award));
    if (before?.standing === standing) return { ...before, award, isCorrected };
    const isNews = standing !== "confirmed" || (before !== undefined && wasHeard);
    return { award, standing, isCorrected, since: isNews ? now : 0 };
  }

  /**
   * @param {string} name
   * @param {Prize} prize
   * @param {number} now
   * @param {boolean} wasHeard
   */
  #went(name, prize, now, wasHeard) {
    const isKept = prize.standing === "withdrawn" || (wasHeard && prize.standing !== "confirmed");
    if (!isKept) this.known.delete(name);
    else if (prize.standing !== "withdrawn") this.known.set(name, { ...prize, standing: "withdrawn", since: now });
  }
}

/**
 * An amount that the owner of a far pot says at last is no correction.
 * @param {Award} before
 * @param {Award} after
 */
function isOtherwise(before, after) {
  return !before.waits && (before.amount !== after.amount || before.seat !== after.seat);
}

/** @param {Prize} prize */
function place(prize) {
  return prize.standing === "withdrawn" ? 1000 : (prize.award.order ?? 0);
}
