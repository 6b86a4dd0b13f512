/**
 * Where an award stands, as a croupier must know it: verify, wait, pay; and since when. Pure.
 *
 * The house may verify for as long as the plan says; what is overdue is said and never decided by the clock.
 */

/** @typedef {import("../ground/vocabulary.js").AwardEntity} AwardEntity */
/** @typedef {"frozen" | "waits" | "at_close" | "verify" | "pay"} Standing */

const MINUTE = 60_000;

/**
 * @typedef {object} AwardState
 * @property {AwardEntity} award
 * @property {Standing} standing
 * @property {boolean} isOverdue
 * @property {boolean} mayPay
 * @property {number} minutes how long it waits
 * @property {number} minutesLeft until it is overdue; 0 where nobody said
 */

/**
 * @param {AwardEntity} award
 * @param {{phase: string, table: string, number: number} | undefined} table
 * @param {number} now the node's clock
 * @returns {AwardState}
 */
export function awardState(award, table, now) {
  const standing = standingOf(award, table);
  const since = award.since ?? now;
  return {
    award,
    standing,
    isOverdue: Boolean(award.overdue),
    mayPay: standing === "pay",
    minutes: Math.max(0, Math.floor((now - since) / MINUTE)),
    minutesLeft: award.due ? Math.max(0, Math.ceil((award.due - now) / MINUTE)) : 0,
  };
}

/**
 * @param {AwardEntity} award
 * @param {{phase: string, table: string, number: number} | undefined} table
 * @returns {Standing}
 */
function standingOf(award, table) {
  if (award.frozen) return "frozen";
  if (award.waits) return "waits";
  if (!award.confirmed) return "verify";
  return isOfSealedPass(award, table) ? "at_close" : "pay";
}

/**
 * A complementary prize (their claims are numbered p1, p2, ...) of a pass that is not closed yet.
 * @param {AwardEntity} award
 * @param {{phase: string, table: string, number: number} | undefined} table
 */
function isOfSealedPass(award, table) {
  const [at, pass, claim] = award.award.split("/");
  const isPrize = /^p\d+$/.test(claim ?? "");
  return isPrize && table?.phase === "sealed" && at === table.table && Number(pass) === table.number;
}

/**
 * All awards of a table, in paying order.
 * @param {AwardEntity[]} awards
 * @param {string} table
 */
export function inPayingOrder(awards, table) {
  const here = awards.filter((award) => award.table === table);
  return here.sort((one, other) => (one.order ?? 0) - (other.order ?? 0) || one.award.localeCompare(other.award));
}

/**
 * The pass that an award is of: the second part of its name.
 * @param {AwardEntity} award
 */
export const passOf = (award) => Number(award.award.split("/")[1]);
