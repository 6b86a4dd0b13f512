/**
 * A sheet to sign an act: what it would do on one side, who signs and his PIN on the other, on one screen.
 *
 * The node's preview is shown before anything can be confirmed, and what was seen goes along (`saw`): with other amounts by
 * then nothing is done and they are shown anew. Where two sign, the second person chooses himself and types his own PIN, under
 * what the first one has signed: nothing of it can be chosen otherwise in between.
 * No PIN stays: what was typed is gone with the answer, and with the sheet.
 */

import { element, fill, mark } from "./element.js";
import { newId } from "./key.js";
import { PeopleChooser } from "./people.js";
import { PinPad } from "./pin.js";
import { openSheet } from "./sheet.js";
import { troubleText } from "./said.js";
import { text } from "./texts.js";

/** @typedef {import("./vocabulary.js").Preview} Preview */
/** @typedef {import("./vocabulary.js").Person} Person */
/** @typedef {import("./vocabulary.js").Reply} Reply */
/** @typedef {import("./vocabulary.js").Fact} Fact */
/** @typedef {import("./box.js").Asks} Api */

/**
 * @typedef {object} SigningOrder
 * @property {Api} api
 * @property {() => boolean} isLive
 * @property {Person[]} people
 * @property {string} title
 * @property {string} confirm
 * @property {() => Record<string, unknown> | string} act what is asked; a sentence, where something is still missing
 * @property {(preview: Preview | null, would: Fact[]) => Node[]} [shows] what would be done; without it nothing is previewed
 * @property {() => Promise<boolean>} [renew] who looks has to sign in again
 * @property {Node[]} [extra] what else is chosen, beside the preview
 * @property {Person} [by] who signs, where somebody is signed in
 * @property {string[]} roles of who may sign
 * @property {string[]} [secondRoles]
 * @property {boolean} [two] from the beginning
 * @property {string} [kind]
 * @property {(reply: Reply, preview: Preview | null) => void} done
 * @property {() => void} [closed]
 */

export class Signing {
  /** @param {SigningOrder} order */
  constructor(order) {
    this.order = order;
    this.id = newId();
    /** @type {Preview | null} */
    this.preview = null;
    this.needsTwo = Boolean(order.two);
    /** @type {{person: string, pin: string}[]} */
    this.signed = [];
    /** What the first of two persons signed. @type {Record<string, unknown> | null} */
    this.agreed = null;
    /** @type {Person | null} */
    this.signer = order.by ?? null;
    this.isAsking = false;
    this.pad = new PinPad({ label: "", done: () => this.sheet.press() });
    this.shown = element("div", { class: "shown", "aria-live": "polite" });
    this.who = element("div", { class: "who" });
    this.what = element("div", { class: "what" }, ...(order.extra ?? []), this.shown);
    this.sheet = openSheet({
      title: order.title,
      confirm: order.confirm,
      kind: `signing ${order.kind ?? ""}`,
      body: [this.what, this.who],
      confirmed: () => void this.#confirmed(),
      closed: () => {
        this.signed = [];
        this.pad.clear();
        order.closed?.();
      },
    });
    this.#showWho();
    void this.look();
  }

  /** What it would do now, from the node: again whenever something else was chosen. */
  async look() {
    const { shows, act, api } = this.order;
    if (!shows) return;
    const asked = act();
    if (typeof asked === "string" || !("ask" in asked)) return this.#show(null, [], false);
    const person = this.order.by?.person ?? this.signer?.person ?? "";
    const answer = await api.settle("preview", { id: newId(), ask: asked.ask, by: { person } });
    if (this.agreed || (this.preview && this.isAsking)) return;
    if (answer.meaning === "done") this.#see(answer.reply.preview ?? null, answer.reply.would ?? [], false);
    else if (answer.meaning === "ticket" && (await this.order.renew?.())) await this.look();
    else if (answer.meaning === "refused") this.sheet.tell(troubleText(answer.trouble), true);
  }

  /**
   * @param {Preview | null} preview
   * @param {Fact[]} would
   * @param {boolean} isChanged
   */
  #see(preview, would, isChanged) {
    this.preview = preview;
    this.needsTwo ||= Boolean(preview?.two);
    this.#show(preview, would, isChanged);
    this.sheet.rest(preview?.sees ?? "");
    this.sheet.tell(isChanged ? text("preview.changed") : this.needsTwo ? text("sign.two") : "", isChanged);
  }

  /**
   * @param {Preview | null} preview
   * @param {Fact[]} would
   * @param {boolean} isChanged
   */
  #show(preview, would, isChanged) {
    mark(this.shown, "data-changed", isChanged);
    fill(this.shown, this.order.shows?.(preview, would) ?? []);
  }

  #showWho() {
    const isSecond = this.signed.length === 1;
    const roles = isSecond ? (this.order.secondRoles ?? this.order.roles) : this.order.roles;
    this.pad.clear();
    if (!this.signer) {
      const without = this.signed.map((one) => one.person);
      const chosen = (/** @type {Person} */ person) => {
        this.signer = person;
        this.#showWho();
      };
      const label = isSecond ? text("sign.second") : text("sign.who");
      fill(this.who, [new PeopleChooser({ label, people: this.order.people, roles, without, chosen }).root]);
      return;
    }
    this.pad = new PinPad({ label: text("sign.pin", { name: this.signer.name }), done: () => this.sheet.press() });
    const other = () => {
      this.signer = null;
      this.#showWho();
    };
    fill(this.who, [this.pad.root, element("button", { type: "button", class: "other", click: other }, text("sign.other"))]);
    this.pad.focus();
  }

  async #confirmed() {
    if (this.isAsking) return;
    if (!this.order.isLive()) return this.sheet.tell(text("live.silent"), true);
    const asked = this.agreed ?? this.#asked();
    if (typeof asked === "string") return this.sheet.tell(asked, true);
    if (!this.signer) return this.sheet.tell(text(this.signed.length ? "sign.second" : "sign.who"), true);
    if (!this.pad.isComplete) return this.sheet.tell(text("sign.pin_short"), true);
    this.signed.push({ person: this.signer.person, pin: this.pad.take() });
    if (this.needsTwo && this.signed.length === 1) return this.#askSecond(asked);
    await this.#ask(asked);
  }

  /** The act, with what was seen of it; a sentence, where something is missing or nothing was seen yet. */
  #asked() {
    const act = this.order.act();
    if (typeof act === "string" || !this.order.shows || !("ask" in act)) return act;
    if (this.preview) return { ...act, saw: this.preview.sees };
    void this.look();
    return text("preview.asking");
  }

  /** @param {Record<string, unknown>} agreed */
  #askSecond(agreed) {
    this.#agree(agreed);
    this.signer = null;
    this.sheet.rest("second");
    this.sheet.tell(text("sign.second"));
    this.#showWho();
  }

  /** @param {Record<string, unknown> | null} agreed */
  #agree(agreed) {
    this.agreed = agreed;
    this.what.inert = agreed !== null;
  }

  /** @param {Record<string, unknown>} asked */
  async #ask(asked) {
    this.isAsking = true;
    this.sheet.busy(true);
    this.sheet.tell(text("trouble.asking"));
    const [by, second] = this.signed;
    const body = { id: this.id, ...asked, by, ...(second ? { second } : {}) };
    const answer = await this.order.api.settle("acts", body, ({ trouble }) => trouble && this.sheet.tell(troubleText(trouble)));
    this.isAsking = false;
    this.sheet.busy(false);
    if (answer.meaning === "done") {
      this.signed = [];
      this.sheet.close();
      this.order.done(answer.reply, this.preview);
    } else this.#refused(answer, asked);
  }

  /** @param {import("./answers.js").Answer} answer @param {Record<string, unknown>} asked */
  #refused(answer, asked) {
    if (answer.meaning === "again") this.sheet.tell(text("trouble.unsure"), true);
    else if (answer.trouble?.reason === "amounts_changed" && answer.reply.preview) this.#see(answer.reply.preview, answer.reply.would ?? [], true);
    else {
      this.id = newId();
      this.sheet.tell(troubleText(answer.trouble), true);
    }
    if (answer.trouble?.reason === "two_persons_needed" && this.signed.length === 1) {
      this.needsTwo = true;
      return this.#askSecond(asked);
    }
    this.#agree(null);
    this.signed = [];
    this.signer = this.order.by ?? this.signer;
    this.#showWho();
  }
}
