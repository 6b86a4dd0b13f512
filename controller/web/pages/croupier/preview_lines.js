/**
 * What an act would do, as lines for the person who is about to confirm it: every figure is the node's. Pure.
 *
 * Awards come in their paying order with how their amount comes about; then who is paid nothing, what falls away, what goes
 * back, what stays, and where the pot would stand.
 */

import { written } from "../ground/money.js";
import { text, textOr } from "../ground/texts.js";

/** @typedef {import("../ground/vocabulary.js").Preview} Preview */
/** @typedef {import("../ground/vocabulary.js").AwardPreview} AwardPreview */
/** @typedef {import("../ground/money.js").Currency} Currency */
/** @typedef {{kind: "award" | "unpaid" | "loss" | "plain", seat?: number, title: string, amount?: string, detail?: string}} Line */

/** @param {string} prize */
export const prizeText = (prize) => textOr(`prize.${prize}`, prize);

/**
 * @param {Preview} preview
 * @param {Currency | undefined} currency
 * @returns {Line[]}
 */
export function previewLines(preview, currency) {
  const awards = preview.awards ?? [];
  /** @type {Line[]} */
  const lines = awards.map((award) => awardLine(award, currency));
  for (const one of preview.unpaid ?? []) {
    if (awards.length && one.reason === "no_claim") continue;
    const title = text("preview.unpaid", { seat: one.seat, why: textOr(`unpaid.${one.reason}`, one.reason) });
    lines.push({ kind: "unpaid", seat: one.seat, title });
  }
  for (const award of preview.cancelled ?? []) lines.push({ kind: "loss", title: text("preview.cancelled", { award }) });
  for (const { award, amount } of preview.lost ?? []) {
    const word = amount > 0 ? "preview.lost" : "preview.found";
    lines.push({ kind: "loss", title: text(word, { award }), amount: written(Math.abs(amount), currency) });
  }
  for (const again of preview.resettled ?? []) {
    for (const { seat, prize, amount } of again.awards) {
      const title = text("preview.resettled", { claim: again.claim, seat, prize: prizeText(prize) });
      lines.push({ kind: "plain", title, amount: written(amount, currency) });
    }
  }
  for (const { seat, cash, promo, chips } of preview.refunds ?? []) {
    const parts = [cash, promo && text("preview.in_promo", { amount: written(promo, currency) }), chips && text("preview.in_chips", { amount: written(chips, currency) })];
    const amount = parts.filter(Boolean).map((part) => (typeof part === "number" ? written(part, currency) : String(part))).join(" + ");
    lines.push({ kind: "plain", seat, title: text("preview.refund", { seat }), amount });
  }
  for (const { prize, seat, amount } of preview.untouched ?? []) {
    lines.push({ kind: "plain", title: text("preview.untouched", { prize, seat }), amount: written(amount, currency) });
  }
  return [...lines, ...potLines(preview, currency)];
}

/**
 * @param {AwardPreview} award
 * @param {Currency | undefined} currency
 * @returns {Line}
 */
export function awardLine(award, currency) {
  const amount = award.waits ? text("award.unknown") : written(award.amount, currency);
  const waits = award.waits ? text("preview.waits") : "";
  const handed = award.handed ? text("preview.handed", { amount: written(award.handed, currency) }) : "";
  const house = award.house ? text("preview.house", { amount: written(award.house, currency) }) : "";
  const rules = (award.rules ?? []).join(" ");
  const detail = [waits, reckoningText(award, currency), handed, house, rules].filter(Boolean).join(" · ");
  return { kind: "award", seat: award.seat, title: prizeText(award.prize), amount, detail };
}

/**
 * @param {AwardPreview} award
 * @param {Currency | undefined} currency
 */
function reckoningText({ reckoning }, currency) {
  if (!reckoning) return "";
  const base = text("preview.pays", { pays: reckoning.pays, bet: written(reckoning.bet, currency) });
  if (!reckoning.total) return base;
  const total = text("preview.total", { of: written(reckoning.of ?? 0, currency), total: written(reckoning.total, currency) });
  const among = (reckoning.among ?? 1) > 1 ? text("preview.among", { n: reckoning.among ?? 1 }) : "";
  const cap = reckoning.cap ? text("preview.cap", { cap: written(reckoning.cap, currency) }) : "";
  return [base, total, among, cap].filter(Boolean).join(", ");
}

/**
 * @param {Preview} preview
 * @param {Currency | undefined} currency
 * @returns {Line[]}
 */
function potLines({ before, after }, currency) {
  if (!before || !after || before.main === after.main) return [];
  return [{ kind: "plain", title: text("preview.pot"), amount: `${written(before.main, currency)} → ${written(after.main, currency)}` }];
}
