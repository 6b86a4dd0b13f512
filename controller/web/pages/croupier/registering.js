/**
 * The winners of a pass become a claim: the node's preview with its amounts, the five faces to be compared with the felt, a PIN.
 *
 * A draft that was begun from a claim puts its pass right as it truly was, with a reason; where another seal has followed, by two
 * persons, with the number of the recording or of a resolution. One that was begun from nothing never does: where
 * another console was faster, the node refuses it and says so.
 */

import { element } from "../ground/element.js";
import { counted, text } from "../ground/texts.js";
import * as acts from "./acts.js";
import { isReady } from "./draft.js";
import { previewRows } from "./preview_view.js";
import { Reasons } from "./reasons.js";

/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("../ground/signing.js").SigningOrder} SigningOrder */
/**
 * Where it is registered: a croupier's table, or a table that a chief looks at.
 * @typedef {object} Desk
 * @property {() => {table?: import("../ground/vocabulary.js").TableEntity | undefined}} known
 * @property {(seat: number) => {currency: import("../ground/money.js").Currency | undefined}} at
 * @property {(pass: number) => boolean} isRecent
 * @property {(order: Partial<SigningOrder> & Pick<SigningOrder, "title" | "confirm" | "act" | "done">) => import("../ground/signing.js").Signing} sign
 * @property {(pass: number) => void} drop
 * @property {(words: string, isWrong?: boolean) => void} tell
 */

/**
 * What registers a draft, now: a claim, or a correction.
 * @param {Pick<Desk, "known">} screen
 * @param {Draft} draft
 * @param {{reason: string, recording?: string, resolution?: string}} why
 */
export function bodyFor(screen, draft, why) {
  const { table } = screen.known();
  if (draft.corrects) return acts.correctClaim(draft, why);
  return acts.registerClaim(draft, !(table?.phase === "sealed" && table.number === draft.pass));
}


/** @param {Desk} screen @param {Draft} draft */
export function register(screen, draft) {
  if (!isReady(draft)) return screen.tell(text("winners.incomplete"), true);
  const { currency } = screen.at(0);
  const { corrects } = draft;
  const isLate = !screen.isRecent(draft.pass);
  const why = new Reasons(["missed", "wrong_hand", "wrong_seat", "wrong_card"], () => void signing.look());
  const recording = proof("reason.recording", () => void signing.look());
  const resolution = proof("reason.resolution", () => void signing.look());
  const signing = screen.sign({
    title: text(corrects ? "winners.correct" : "winners.confirm.title", { n: draft.pass }),
    confirm: text("winners.confirm"),
    kind: "registering",
    two: isLate,
    act: () => {
      if (corrects && !why.said) return text("sign.reason");
      return bodyFor(screen, draft, { reason: why.said, recording: recording.value.trim(), resolution: resolution.value.trim() });
    },
    extra: corrects ? [element("p", {}, text("winners.correct.how")), why.root, ...(isLate ? [recording, resolution] : [])] : [],
    shows: (preview) => (corrects && !why.said ? [] : previewRows(preview, currency, draft)),
    done: (reply) => {
      screen.drop(draft.pass);
      screen.tell(reply.pays === 0 ? text("winners.done.none") : counted("winners.done", reply.pays ?? 1));
    },
  });
}

/**
 * @param {"reason.recording" | "reason.resolution"} key
 * @param {() => void} changed
 */
function proof(key, changed) {
  return element("input", { type: "text", maxlength: 64, autocomplete: "off", "aria-label": text(key), placeholder: text(key), change: changed });
}
