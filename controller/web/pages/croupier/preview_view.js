/**
 * What would be done, as rows: awards in paying order with their amounts large and how they come about, and the five faces of
 * a hand beside its award.
 */

import { element } from "../ground/element.js";
import { text } from "../ground/texts.js";
import { face } from "./faces.js";
import { previewLines } from "./preview_lines.js";

/**
 * @param {import("../ground/vocabulary.js").Preview | null} preview
 * @param {import("../ground/money.js").Currency | undefined} currency
 * @param {import("./draft.js").Draft} [draft]
 * @returns {Node[]}
 */
export function previewRows(preview, currency, draft) {
  if (!preview) return [element("p", { class: "dim" }, text("preview.asking"))];
  const lines = previewLines(preview, currency);
  let order = 0;
  const rows = lines.map((line) => {
    const cards = line.kind === "award" ? (draft?.hands.find((hand) => hand.seat === line.seat)?.cards ?? []) : [];
    const shared = cards.length ? (draft?.community ?? []) : [];
    return element("div", { class: `line of-${line.kind}` },
      line.kind === "award" ? element("b", { class: "order" }, `${++order}.`) : null,
      line.kind === "award" ? element("b", { class: "number" }, String(line.seat)) : null,
      element("span", { class: "title" }, line.title),
      element("span", { class: "amount" }, line.amount ?? ""),
      cards.length ? element("span", { class: "faces" }, ...cards.map(face), ...shared.map(face)) : null,
      line.detail ? element("span", { class: "detail" }, line.detail) : null);
  });
  const isClaim = draft !== undefined && !preview.awards?.length;
  return isClaim ? [element("p", { class: "nobody" }, text("preview.nobody")), ...rows] : rows;
}
