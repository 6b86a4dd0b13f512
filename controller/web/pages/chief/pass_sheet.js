/**
 * A pass as it truly was: its seats, each with the hand that it held; then the node's preview, a reason and the signatures
 * . For a late winner, and for what was entered wrongly.
 */

import { correcting, handOf, isEmpty, isReady, newDraft } from "../croupier/draft.js";
import { row } from "../croupier/faces.js";
import { communityCount, ownCount } from "../croupier/games.js";
import { HandSheet } from "../croupier/hand_sheet.js";
import { prizeText } from "../croupier/preview_lines.js";
import { register } from "../croupier/registering.js";
import { passToEnter } from "../croupier/table_state.js";
import { element, fill } from "../ground/element.js";
import { openSheet } from "../ground/sheet.js";
import { text } from "../ground/texts.js";

/** @typedef {import("./floor.js").Floor} Floor */
/** @typedef {import("../croupier/draft.js").Draft} Draft */

/**
 * @param {Floor} floor
 * @param {string} table
 * @param {Draft} begun
 */
export async function openPass(floor, table, begun) {
  const person = await floor.lookAt(table);
  if (!person) return;
  const drafts = floor.draftsOf(table);
  let draft = drafts.begun(begun.pass) ?? begun;
  const seats = floor.seatsOf(table).map((seat) => seat.seat);
  const list = element("div", { class: "pass-hands" });
  const sheet = openSheet({
    title: text(draft.corrects ? "winners.correct" : "winners.late", { n: draft.pass }), confirm: text("chief.pass.next"), kind: "pass-sheet",
    body: [element("p", {}, text(draft.corrects ? "winners.correct.how" : "chief.pass.late")), list],
    confirmed: () => {
      if (!isReady(draft)) return sheet.tell(text(isEmpty(draft) ? "chief.pass.nobody" : "winners.incomplete"), true);
      sheet.close();
      register(floor.desk(table, person), draft);
    },
  });
  show();

  function show() {
    const shared = communityCount(draft.modality)
      ? [element("button", { type: "button", class: "pass-hand", click: () => enter(0) }, element("b", { class: "number" }, "♠"), element("strong", {}, text("hand.community")), element("span", { class: "cards" }, ...row(draft.community, communityCount(draft.modality))))]
      : [];
    fill(list, [...shared, ...seats.map(seatRow)]);
  }

  /** @param {number} seat */
  function seatRow(seat) {
    const hand = handOf(draft, seat);
    const name = hand.claimed ? prizeText(hand.claimed) : hand.cards.length ? "" : "–";
    const cards = hand.cards.length ? element("span", { class: "cards" }, ...row(hand.cards, ownCount(draft.modality))) : null;
    return element("button", { type: "button", class: "pass-hand", click: () => enter(seat) }, element("b", { class: "number" }, String(seat)), element("strong", {}, name), cards);
  }

  /** @param {number} seat */
  function enter(seat) {
    const known = floor.table(table);
    new HandSheet({
      draft, seat, prizes: Object.keys(floor.potOf(table)?.paytable ?? {}), acts: known?.acts ?? [], forfeits: known?.forfeits ?? [],
      changed: (changed) => {
        draft = changed;
        drafts.keep(changed);
        show();
      },
    });
  }
}

/**
 * A pass of this table by its number: what the node still shows of it, or begun anew. Where another seal has followed it is a
 * correction, of which all winners are written; else a winner is added to what nobody has entered yet.
 * @param {Floor} floor
 * @param {string} table
 * @param {number} pass
 * @returns {Draft}
 */
export function draftOf(floor, table, pass) {
  const known = floor.table(table);
  const made = newDraft(table, pass, known?.modality);
  const claim = /** @type {import("../ground/vocabulary.js").ClaimEntity[]} */ (floor.live.all("claim/")).find((one) => one.table === table && one.number === pass && !one.prize);
  const hands = claim?.hands ?? (known?.number === pass ? known.hands : undefined);
  if (hands?.length) return correcting(made, { hands, community: claim?.community ?? known?.community ?? [] });
  return pass >= passToEnter(known) ? made : correcting(made, { hands: [], community: [] });
}
