/**
 * What one seat holds: a category in one tap, or its cards on a deck of thirteen by four; then the sheet is gone.
 *
 * A tap on a card that is used already does nothing, so it is grey. Where the game has community cards they come first, once a
 * pass. The Escalera Real is a key for each suit, the Escalera de Color a page of thirty-six. Nothing is confirmed here.
 */

import { element, fill, mark } from "../ground/element.js";
import { openSheet } from "../ground/sheet.js";
import { counted, text, textOr } from "../ground/texts.js";
import { DECK, ROYALS, STRAIGHT_FLUSHES, indexOf, ownOf } from "./deck.js";
import { acting, claiming, handOf, holding, tapping, usedElsewhere, without } from "./draft.js";
import { shape } from "./drawings.js";
import { cardText, row } from "./faces.js";
import { CATEGORIES, communityCount, needsCards, ownCount } from "./games.js";
import { prizeText } from "./preview_lines.js";

/** @typedef {import("./draft.js").Draft} Draft */

/**
 * @typedef {object} HandOrder
 * @property {Draft} draft
 * @property {number} seat 0: the community cards alone
 * @property {string[]} prizes categories that the pot pays
 * @property {string[]} acts of the game
 * @property {string[]} forfeits
 * @property {(draft: Draft) => void} changed
 */

export class HandSheet {
  /** @param {HandOrder} order */
  constructor(order) {
    this.order = order;
    this.draft = order.draft;
    this.slots = element("div", { class: "slots", "aria-live": "polite" });
    this.acts = element("div", { class: "row acts", role: "group", "aria-label": text("hand.acts") });
    this.kinds = element("div", { class: "kinds", role: "group", "aria-label": text("hand.which") });
    this.deck = element("div", { class: "deck", role: "group", "aria-label": text("hand.deck") });
    this.ladders = element("div", { class: "ladders", role: "group", hidden: true });
    /** @type {Map<string, HTMLButtonElement>} */
    this.cards = new Map();
    /** @type {[string, HTMLButtonElement][]} */
    this.claims = [];
    /** @type {[string, HTMLButtonElement][]} */
    this.did = [];
    /** @type {[string[], HTMLButtonElement][]} */
    this.ladderKeys = [];
    /** @type {import("../ground/sheet.js").Sheet | undefined} */
    this.sheet = undefined;
    this.#build();
    const title = order.seat ? text("hand.title", { seat: order.seat }) : text("hand.community.title", { n: this.draft.pass });
    const head = element("div", { class: "head" }, order.seat ? element("b", { class: "number", "aria-hidden": "true" }, String(order.seat)) : null, this.slots, this.acts);
    this.sheet = openSheet({ title, kind: "hand-sheet", cancel: text("sheet.done"), body: [head, this.kinds, this.deck, this.ladders] });
    this.#show();
  }

  #build() {
    for (const cards of DECK) {
      for (const card of cards) {
        const key = element("button", { type: "button", class: `card-key of-${card[1]}`, click: () => this.#tap(card) },
          element("b", {}, indexOf(card)), shape(`suit_${card[1]}`), element("span", { class: "for-ears" }, ` ${cardText(card)}`));
        this.cards.set(card, key);
        this.deck.append(key);
      }
    }
    if (!this.order.seat) return;
    for (const act of this.order.acts) {
      const key = element("button", { type: "button", click: () => this.#change(acting(this.draft, this.order.seat, act)) }, textOr(`act.${act}`, act));
      this.did.push([act, key]);
    }
    fill(this.acts, [...this.did.map(([, key]) => key), element("button", { type: "button", class: "remove", click: () => this.#leave(without(this.draft, this.order.seat)) }, text("winners.remove"))]);
    for (const prize of CATEGORIES.filter((one) => this.order.prizes.includes(one))) this.#buildKind(prize);
  }

  /** @param {string} prize */
  #buildKind(prize) {
    if (prize === "escalera_color") {
      const open = element("button", { type: "button", class: "kind", click: () => this.#ladders(Boolean(this.ladders.hidden)) }, text("hand.straight_flush"));
      this.kinds.append(open);
      for (const { high, suit, cards } of STRAIGHT_FLUSHES.flat()) this.ladders.append(this.#ladder(`${indexOf(high)}–${indexOf(cards[4] ?? "")}`, suit, cards));
    } else if (prize === "escalera_real") {
      const keys = ROYALS.map(({ suit, cards }) => this.#ladder("", suit, cards));
      this.kinds.append(element("span", { class: "royal", role: "group", "aria-label": prizeText(prize) }, element("i", {}, prizeText(prize)), ...keys));
    } else {
      const choose = () => (needsCards(prize) ? this.#tell(text("hand.need_cards")) : this.#leave(claiming(this.draft, this.order.seat, prize)));
      const key = element("button", { type: "button", class: "kind", click: choose }, prizeText(prize));
      this.claims.push([prize, key]);
      this.kinds.append(key);
    }
  }

  /**
   * @param {string} words
   * @param {string} suit
   * @param {string[]} cards
   */
  #ladder(words, suit, cards) {
    const take = () => {
      const own = ownOf(cards, this.draft.community);
      if (own && this.#mayTake(cards)) this.#leave(holding(this.draft, this.order.seat, own));
    };
    const named = text("hand.ends", { rank: textOr(`rank.${cards[0]?.[0]}`, ""), suit: textOr(`suit.${suit}`, suit) });
    const key = element("button", { type: "button", class: `ladder of-${suit}`, click: take },
      words ? element("b", {}, words) : null, shape(`suit_${suit}`), element("span", { class: "for-ears" }, ` ${named}`));
    this.ladderKeys.push([cards, key]);
    return key;
  }

  /**
   * Whether these five can lie here: none in another hand, the community's all among them.
   * @param {string[]} cards
   */
  #mayTake(cards) {
    const used = usedElsewhere(this.draft, this.order.seat);
    const isWhole = this.draft.community.length === communityCount(this.draft.modality);
    return isWhole && ownOf(cards, this.draft.community) !== null && !cards.some((card) => used.has(card));
  }

  /** @param {boolean} isOpen */
  #ladders(isOpen) {
    this.ladders.hidden = !isOpen;
    this.deck.hidden = isOpen;
  }

  /** @param {string} card */
  #tap(card) {
    const draft = tapping(this.draft, this.order.seat, card);
    const isFull = handOf(draft, this.order.seat).cards.length === ownCount(draft.modality);
    const isDone = this.order.seat ? isFull : draft.community.length === communityCount(draft.modality);
    if (draft !== this.draft && isDone && this.#isWhole(draft)) this.#leave(draft);
    else this.#change(draft);
  }

  /** @param {Draft} draft */
  #isWhole(draft) {
    return draft.community.length === communityCount(draft.modality);
  }

  /** @param {Draft} draft */
  #leave(draft) {
    this.#change(draft);
    this.sheet?.close();
  }

  /** @param {Draft} draft */
  #change(draft) {
    this.draft = draft;
    this.order.changed(draft);
    this.#show();
  }

  #show() {
    const { seat, forfeits } = this.order;
    const hand = handOf(this.draft, seat);
    const used = usedElsewhere(this.draft, seat);
    const shared = communityCount(this.draft.modality);
    const groups = [
      ...(shared ? [element("span", { class: "slot-group" }, element("i", {}, text("hand.community")), ...row(this.draft.community, shared))] : []),
      ...(seat ? [element("span", { class: "slot-group" }, shared ? element("i", {}, text("hand.own")) : null, ...row(hand.cards, ownCount(this.draft.modality)))] : []),
    ];
    fill(this.slots, groups);
    for (const [card, key] of this.cards) {
      mark(key, "aria-disabled", used.has(card) ? "true" : undefined);
      mark(key, "aria-pressed", hand.cards.includes(card) || this.draft.community.includes(card) ? "true" : "false");
    }
    for (const [prize, key] of this.claims) mark(key, "aria-pressed", hand.claimed === prize ? "true" : "false");
    for (const [act, key] of this.did) mark(key, "aria-pressed", hand.acts.includes(act) ? "true" : "false");
    for (const [cards, key] of this.ladderKeys) mark(key, "aria-disabled", this.#mayTake(cards) ? undefined : "true");
    const missing = shared - this.draft.community.length || ownCount(this.draft.modality) - hand.cards.length;
    const isBegun = hand.cards.length > 0 || (this.draft.community.length > 0 && this.draft.community.length < shared);
    const loses = hand.acts.some((act) => forfeits.includes(act)) ? text("hand.forfeits") : "";
    this.#tell(loses || (isBegun && missing > 0 ? counted("hand.need_more", missing) : ""));
  }

  /** @param {string} words */
  #tell(words) {
    this.sheet?.tell(words);
  }
}
