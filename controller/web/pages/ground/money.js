/**
 * An amount as Chile writes it: whole minor units of a pot's currency become "$ 1.234.567" or "Bs 1.234,50".
 *
 * Nothing is computed here: the digits that came are grouped, and no more. Above 2^53 a browser does not have the digits that
 * the node said, so none are shown: words say that there is something that cannot be, and the rest of the page stays true.
 */

import { text } from "./texts.js";

/** @typedef {{symbol: string, decimals?: number}} Currency */

/**
 * @param {number} amount
 * @param {Currency | undefined} currency
 * @returns {string}
 */
export function written(amount, currency) {
  if (!isAmount(amount)) return text("money.beyond");
  const sign = amount < 0 ? "-" : "";
  return `${sign}${currency?.symbol ?? "$"}\u00a0${grouped(Math.abs(amount), currency?.decimals ?? 0)}`;
}

/**
 * Whether its digits are those that were said.
 * @param {number} amount
 */
export const isAmount = (amount) => Number.isSafeInteger(amount);

/**
 * The digits alone, where the symbol stands elsewhere.
 * @param {number} amount not below nothing
 * @param {number} decimals
 * @returns {string}
 */
export function grouped(amount, decimals) {
  if (!isAmount(amount)) return text("money.beyond");
  const digits = String(amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals);
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ".");
  return decimals ? `${groups},${rest}` : groups;
}
