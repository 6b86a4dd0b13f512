/**
 * Beside the felt: the winners that are being entered, the awards in paying order, what is wrong. Quiet when there is nothing.
 */

import { element, fill, listIn, mark, say } from "../ground/element.js";
import { written } from "../ground/money.js";
import { text, textOr } from "../ground/texts.js";
import { isWinner } from "./draft.js";
import { shape } from "./drawings.js";
import { row } from "./faces.js";
import { ownCount } from "./games.js";
import { awardLine, prizeText } from "./preview_lines.js";

/** @typedef {import("./award_state.js").AwardState} AwardState */
/** @typedef {import("./draft.js").Draft} Draft */
/** @typedef {import("./draft.js").Entered} Entered */
/** @typedef {import("../ground/vocabulary.js").Preview} Preview */
/** @typedef {import("../ground/money.js").Currency} Currency */

const MOST_ALARMS = 4;

/** A section with a heading, which is not there when it has nothing to say. */
function part(/** @type {string} */ name) {
  const title = element("h2", {});
  const body = element("div", { class: "part-body" });
  const foot = element("div", { class: "part-foot" });
  const root = element("section", { class: `part ${name}`, hidden: true }, title, body, foot);
  return { root, title, body, foot };
}

export class Side {
  /**
   * @param {object} does
   * @param {(seat: number) => void} does.change
   * @param {(award: string) => void} does.pay
   */
  constructor({ change, pay }) {
    this.left = element("div", { class: "left-drafts" });
    this.other = element("p", { class: "other-console", hidden: true });
    this.draft = part("winners");
    this.awards = part("awards");
    this.alarms = part("alarms");
    this.listHands = listIn(this.draft.body, (/** @type {HandShown} */ one) => `${one.hand.seat}`, (one) => new HandRow(one.hand.seat, change));
    this.listAwards = listIn(this.awards.body, (/** @type {AwardShown} */ one) => one.state.award.award, (one) => new AwardRow(one.state.award.award, pay));
    this.quiet = element("p", { class: "quiet" }, text("awards.none"));
    this.foot = element("div", { class: "side-foot" });
    const rest = element("div", { class: "side-body" }, this.left, this.other, this.draft.root, this.awards.root, this.alarms.root, this.quiet);
    this.root = element("aside", { class: "side" }, rest, this.foot);
    say(this.awards.title, text("awards.title"));
  }

  /** @param {string} words of another console that enters the same pass */
  showOther(words) {
    say(this.other, words);
    this.other.hidden = !words;
  }

  /**
   * @param {object} shown
   * @param {Draft | null} shown.draft
   * @param {string} shown.title
   * @param {Preview | null} shown.preview
   * @param {string} shown.trouble
   * @param {Node[]} shown.buttons
   * @param {Currency | undefined} shown.currency
   */
  showDraft({ draft, title, preview, trouble, buttons, currency }) {
    this.draft.root.hidden = !draft;
    if (!draft) return;
    say(this.draft.title, title);
    const awards = new Map((preview?.awards ?? []).map((award, at) => [award.seat, { award, order: at + 1 }]));
    const rows = draft.hands.map((hand) => {
      const found = awards.get(hand.seat);
      const line = found ? awardLine(found.award, currency) : null;
      const why = preview?.unpaid?.find((one) => one.seat === hand.seat)?.reason;
      const detail = line?.detail ?? (why ? textOr(`unpaid.${why}`, why) : "");
      return { draft, hand, order: found?.order ?? 0, title: line?.title ?? "", amount: line?.amount ?? "", detail };
    });
    // As they are paid (R-13); what is paid nothing comes last.
    this.listHands(rows.sort((one, other) => (one.order || Infinity) - (other.order || Infinity) || one.hand.seat - other.hand.seat));
    const note = element("p", { class: "trouble" }, trouble);
    fill(this.draft.foot, [...(trouble ? [note] : []), ...buttons]);
  }

  /**
   * @param {AwardState[]} awards
   * @param {Currency | undefined} currency
   */
  showAwards(awards, currency) {
    this.awards.root.hidden = awards.length === 0;
    this.listAwards(awards.map((state, at) => ({ state, order: at + 1, currency })));
  }

  /** @param {string[]} sentences */
  showAlarms(sentences) {
    this.alarms.root.hidden = sentences.length === 0;
    say(this.alarms.title, `${text("alarms.title")} · ${sentences.length}`);
    const shown = sentences.slice(0, MOST_ALARMS).map((words) => element("p", { class: "alarm" }, shape("triangle"), words));
    const rest = sentences.length - MOST_ALARMS;
    const said = this.alarms.body.getAttribute("data-said");
    if (said === sentences.join("\n")) return;
    mark(this.alarms.body, "data-said", sentences.join("\n"));
    fill(this.alarms.body, rest > 0 ? [...shown, element("p", { class: "dim" }, text("alarms.more", { n: rest }))] : shown);
  }

  settle() {
    this.quiet.hidden = !(this.draft.root.hidden && this.awards.root.hidden && this.alarms.root.hidden && !this.left.childNodes.length);
  }
}

/** @typedef {{draft: Draft, hand: Entered, order: number, title: string, amount: string, detail: string}} HandShown */

/** A hand of the draft: its cards large, what it makes, what it would be paid. */
class HandRow {
  /** @param {number} seat @param {(seat: number) => void} change */
  constructor(seat, change) {
    this.number = element("b", { class: "number" }, String(seat));
    this.what = element("strong", {});
    this.cards = element("span", { class: "cards" });
    this.amount = element("span", { class: "amount" });
    this.detail = element("span", { class: "detail" });
    const top = element("span", { class: "top" }, this.number, this.what, this.amount);
    this.root = element("button", { type: "button", class: "hand", click: () => change(seat) }, top, this.cards, this.detail);
    this.shownCards = "";
  }

  /** @param {HandShown} shown */
  show({ draft, hand, order, title, amount, detail }) {
    const acts = hand.acts.map((act) => textOr(`act.${act}`, act)).join(", ");
    const name = title || (hand.claimed ? prizeText(hand.claimed) : "");
    const missing = isWinner(draft, hand) || (!hand.cards.length && acts) ? "" : text("winners.incomplete");
    say(this.what, [name, acts, missing].filter(Boolean).join(" · "));
    say(this.amount, amount);
    say(this.detail, order ? `${order}. ${detail}` : detail);
    const cards = hand.cards.join();
    if (cards !== this.shownCards) fill(this.cards, hand.cards.length ? row(hand.cards, ownCount(draft.modality)) : []);
    this.shownCards = cards;
    this.cards.hidden = !cards;
  }
}

/** @typedef {{state: AwardState, order: number, currency: Currency | undefined}} AwardShown */

class AwardRow {
  /** @param {string} name @param {(award: string) => void} pay */
  constructor(name, pay) {
    this.order = element("span", { class: "order" });
    this.number = element("b", { class: "number" });
    this.seat = element("span", { class: "for-ears" });
    this.what = element("strong", {});
    this.amount = element("span", { class: "amount" });
    this.standing = element("span", { class: "standing" });
    this.clock = element("span", { class: "clock" });
    this.pay = element("button", { type: "button", class: "pay first", click: () => pay(name) }, text("award.pay"));
    this.root = element("div", { class: "award" }, this.seat, this.number, this.what, this.amount, this.standing, this.clock, this.order, this.pay);
  }

  /** @param {AwardShown} shown */
  show({ state, order, currency }) {
    const { award } = state;
    say(this.order, `${order}.`);
    say(this.number, String(award.seat));
    say(this.seat, text("seat.word"));
    say(this.what, prizeText(award.prize));
    say(this.amount, award.waits ? text("award.unknown") : written(award.amount ?? 0, currency));
    const more = [award.no_cards && text("award.no_cards"), award.promo && text("award.promo"), award.advanced && text("award.advanced", { amount: written(award.advanced, currency) })];
    say(this.standing, [state.isOverdue && text("award.overdue"), textOr(`award.${state.standing}`, state.standing), ...more].filter(Boolean).join(" · "));
    const left = state.minutesLeft && !state.isOverdue ? ` · ${text("award.left", { n: state.minutesLeft })}` : "";
    say(this.clock, state.mayPay ? "" : `${textOr(`award.${state.standing}.do`, "")} ${text("award.minutes", { n: state.minutes })}${left}`);
    mark(this.root, "data-overdue", state.isOverdue);
    mark(this.root, "data-standing", state.standing);
    this.pay.hidden = !state.mayPay;
  }
}
