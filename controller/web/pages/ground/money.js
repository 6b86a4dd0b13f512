/**
 * An amount as Chile writes it: whole minor units of a pot's currency become "$ 1.234.567" or "Bs 1.234,50".
 *
 * Nothing is computed here: the digits that came are grouped, and no more.
 */

/** @typedef {{symbol: string, decimals?: number}} Currency */

/**
 * @param {number} amount
 * @param {Currency | undefined} currency
 * @returns {string}
 */
export function written(amount, currency) {
  const sign = amount < 0 ? "-" : "";
  return `${sign}${currency?.symbol ?? "$"}\u00a0${grouped(Math.abs(amount), currency?.decimals ?? 0)}`;
}

/**
 * The digits alone, where the symbol stands elsewhere.
 * @param {number} amount
 * @param {number} decimals
 * @returns {string}
 */
export function grouped(amount, decimals) {
  if (!Number.isSafeInteger(amount) || amount < 0) throw new Error(`${amount} is no amount`);
  const digits = String(amount).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals);
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ".");
  return decimals ? `${groups},${rest}` : groups;
}
