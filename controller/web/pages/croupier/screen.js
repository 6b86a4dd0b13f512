/**
 * The croupier's screen put together: what is known of the table, who signs, what is being entered, and what is asked.
 *
 * Nothing is decided here. Opening and locking go by the ticket of who signed in; everything else is a sheet to sign. What is
 * being entered is a draft of one pass: usually the one that is sealed, else the one that somebody chose to complete or to
 * put right. It is kept with every tap, and goes when the node has registered it.
 */

import { Ids } from "../ground/guard.js";
import { newId } from "../ground/key.js";
import { openSheet } from "../ground/sheet.js";
import { Signing } from "../ground/signing.js";
import { troubleText } from "../ground/said.js";
import { text, textOr } from "../ground/texts.js";
import * as acts from "./acts.js";
import { inPayingOrder } from "./award_state.js";
import { correcting, isEmpty, newDraft } from "./draft.js";
import { signIn } from "./entering.js";
import { Felt } from "./felt.js";
import { HandSheet } from "./hand_sheet.js";
import { Drafts } from "./kept.js";
import { openMore } from "./more.js";
import { previewRows } from "./preview_view.js";
import { register } from "./registering.js";
import { openServices } from "./services.js";
import { Bar } from "./bar.js";
import { Side } from "./side.js";
import { passToEnter } from "./table_state.js";

/** @typedef {import("../ground/vocabulary.js").Person} Person */
/** @typedef {import("../ground/vocabulary.js").House} House */
/** @typedef {import("../ground/vocabulary.js").Preview} Preview */
/** @typedef {import("./draft.js").Draft} Draft */

export class Screen {
  /** @param {import("../ground/start.js").Begun} begun */
  constructor({ api, live, place }) {
    this.api = api;
    this.live = live;
    this.table = place;
    this.played = new Drafts(place, localStorage);
    /** Passes of training have numbers of their own. */
    this.practised = new Drafts(`~${place}`, localStorage);
    this.ids = new Ids();
    /** @type {Person[]} */
    this.people = [];
    /** @type {Person | null} */
    this.person = null;
    /** @type {Promise<boolean> | null} who is asked his PIN just now */
    this.entering = null;
    /** The pass that somebody chose to enter; 0: the sealed one, if there is one. */
    this.chosen = 0;
    /** Seats are tapped for their own services although a pass is sealed. */
    this.serves = false;
    this.isBusy = false;
    /** @type {{of: string, preview: Preview | null, trouble: string}} what the draft would pay, as it was asked last */
    this.looked = { of: "", preview: null, trouble: "" };
    /** @type {() => void} */
    this.changed = () => {};
    this.felt = new Felt({ tapped: (seat) => void this.#tapped(seat), next: (next) => void this.#next(next) });
    this.bar = new Bar({ who: () => void this.#who(), more: () => openMore(this) });
    this.side = new Side({ change: (seat) => void this.openHand(seat), pay: (award) => void this.#pay(award) });
  }

  // What is known

  known() {
    const table = /** @type {import("../ground/vocabulary.js").TableEntity | undefined} */ (this.live.one(`table/${this.table}`));
    const seats = /** @type {import("../ground/vocabulary.js").SeatEntity[]} */ (this.live.all(`seat/${this.table}/`));
    seats.sort((one, other) => one.seat - other.seat);
    return { node: this.#node(), table, seats, pot: this.#pot(table) };
  }

  /** @param {number} seat */
  at(seat) {
    const { table, seats, pot } = this.known();
    return { table, seat: seats.find((one) => one.seat === seat), pot, currency: pot };
  }

  get awards() {
    return inPayingOrder(this.live.all("award/"), this.table);
  }

  #node() {
    return /** @type {import("../ground/vocabulary.js").NodeEntity | undefined} */ (this.live.one("node"));
  }

  /** @param {import("../ground/vocabulary.js").TableEntity | undefined} table */
  #pot(table) {
    /** @type {import("../ground/vocabulary.js").PotEntity[]} */
    const pots = this.live.all("pot/");
    const name = table?.pot?.replace(/^~/, "");
    return pots.find((pot) => pot.pot === name && Boolean(pot.training) === Boolean(table?.training)) ?? pots[0];
  }

  // What is being entered

  get drafts() {
    return this.known().table?.training ? this.practised : this.played;
  }

  /** The pass whose winners may be entered; the one that somebody chose comes first. */
  passEntered() {
    return this.chosen || passToEnter(this.known().table);
  }

  /** @param {number} pass */
  hasClaim(pass) {
    return this.#claimed(pass) !== null;
  }

  /** Whether a tap on a seat enters its hand. */
  get isEntering() {
    return !this.serves && (this.chosen > 0 || this.known().table?.phase === "sealed");
  }

  /** The draft that is seen: of the pass that was chosen, or of the sealed one once something of it was entered. */
  get draft() {
    const { table } = this.known();
    if (this.chosen) return this.drafts.begun(this.chosen) ?? this.#base(this.chosen);
    return table?.phase === "sealed" ? this.drafts.begun(table.number) : null;
  }

  /** @param {number} pass */
  enter(pass) {
    this.chosen = pass === this.known().table?.number && !this.hasClaim(pass) ? 0 : pass;
    this.serves = false;
    if (this.hasClaim(pass)) this.keep(this.drafts.begun(pass) ?? this.#base(pass));
    this.changed();
  }

  leave() {
    const { draft } = this;
    if (draft && isEmpty(draft)) this.drafts.drop(draft.pass);
    this.chosen = 0;
    this.changed();
  }

  /** @param {Draft} draft */
  keep(draft) {
    this.drafts.keep(draft);
    this.looked = { ...this.looked, of: "" };
    this.changed();
  }

  /** @param {number} pass */
  drop(pass) {
    this.drafts.drop(pass);
    if (this.chosen === pass) this.chosen = 0;
    this.changed();
  }

  /** @param {number} pass */
  #claimed(pass) {
    /** @type {import("../ground/vocabulary.js").ClaimEntity[]} */
    const claims = this.live.all("claim/");
    const claim = claims.find((one) => one.table === this.table && one.number === pass && !one.prize);
    const { table } = this.known();
    if (claim) return { hands: claim.hands ?? [], community: claim.community ?? [] };
    if (table?.number === pass && table.hands?.length) return { hands: table.hands, community: table.community ?? [] };
    return null;
  }

  /** @param {number} pass */
  #base(pass) {
    const claimed = this.#claimed(pass);
    const made = newDraft(this.table, pass, this.known().table?.modality);
    return claimed || !this.isRecent(pass) ? correcting(made, claimed ?? { hands: [], community: [] }) : made;
  }

  /** What somebody else put right meanwhile is not put right again from what was so before. */
  forgetOvertaken() {
    const draft = this.chosen && this.live.isLive ? this.drafts.begun(this.chosen) : null;
    if (!draft?.corrects || !this.hasClaim(draft.pass) || this.#base(draft.pass).from === draft.from) return;
    this.drop(draft.pass);
    this.tell(text("winners.overtaken", { n: draft.pass }), true);
  }

  /** Whether a correction still says what stands on record. @param {Draft} draft */
  isAsOnRecord(draft) {
    return draft.corrects && JSON.stringify(draft.hands) === JSON.stringify(this.#base(draft.pass).hands);
  }

  /** Whether no other seal has followed, so that one person may still complete it (R-35). @param {number} pass */
  isRecent(pass) {
    return pass >= passToEnter(this.known().table);
  }

  /** @param {number} seat */
  async openHand(seat) {
    const pass = this.passEntered();
    const { table, pot } = this.known();
    if (!table || !pass || !(await this.ensurePerson())) return;
    this.felt.tell("");
    const draft = this.drafts.begun(pass) ?? this.#base(pass);
    new HandSheet({
      draft, seat, prizes: Object.keys(pot?.paytable ?? {}), acts: table.acts ?? [], forfeits: table.forfeits ?? [],
      changed: (changed) => this.keep(changed),
    });
  }

  // Who signs

  async readHouse() {
    const house = await this.readPeople();
    if (!house) return;
    const here = (house.signed_in ?? []).findLast((one) => one.table === this.table);
    this.person = this.people.find((one) => one.person === here?.person) ?? null;
    this.changed();
  }

  /** Who may sign: a console stands for weeks, and people come and go. @returns {Promise<House | null>} */
  async readPeople() {
    const answer = await this.api.get("house");
    if (answer.meaning !== "done") return null;
    const house = /** @type {House} */ (/** @type {unknown} */ (answer.reply));
    this.people = house.people ?? [];
    return house;
  }

  /** @returns {Promise<boolean>} whether somebody is signed in now */
  async ensurePerson() {
    if (!this.people.length) await this.readHouse();
    return this.person !== null || this.signInAnew();
  }

  /** However often it is wanted at once, he is asked once. @returns {Promise<boolean>} */
  async signInAnew() {
    const over = this.person;
    this.entering ??= this.readPeople().then(() => this.#entered(over)).finally(() => (this.entering = null));
    return this.entering;
  }

  /** @param {Person | null} over whose ticket is over */
  async #entered(over) {
    const entered = await signIn({ api: this.api, people: this.people, table: this.table, ...(over ? { person: over } : {}) });
    if (entered) this.person = entered;
    this.changed();
    return entered !== null;
  }

  async signOut() {
    await this.api.settle("sign-out", { id: newId() });
    this.person = null;
    this.changed();
  }

  async #who() {
    if (this.person) openMore(this);
    else await this.ensurePerson();
  }

  // What is asked

  /** @param {string} words @param {boolean} [isWrong] */
  tell(words, isWrong = false) {
    this.felt.tell(words, isWrong);
  }

  /** @param {Partial<import("../ground/signing.js").SigningOrder> & Pick<import("../ground/signing.js").SigningOrder, "title" | "confirm" | "act" | "done">} order */
  sign(order) {
    this.felt.tell("");
    return new Signing({
      api: this.api, isLive: () => this.live.isLive, people: this.people, roles: ["croupier", "chief"],
      secondRoles: ["chief", "administrator"], renew: () => this.signInAnew(), ...(this.person ? { by: this.person } : {}), ...order,
    });
  }

  /** Seats that came back while the pass is open (R-5). */
  reopen() {
    return this.#ask("reopen", acts.openNext(this.table));
  }

  closePass() {
    return this.#ask("close", acts.closePass(this.table));
  }

  /** @param {number} seat */
  async #tapped(seat) {
    if (this.isEntering) return this.openHand(seat);
    this.serves = false;
    if (await this.ensurePerson()) openServices(this, seat);
    this.changed();
  }

  /** @param {import("./table_state.js").Next} next */
  async #next(next) {
    if (next === "open" || next === "next" || next === "reopen") await this.#ask("open", acts.openNext(this.table));
    if (next === "lock") await this.#ask("lock", acts.lock(this.table));
    if (next === "register" && this.draft && (await this.ensurePerson())) register(this, this.draft);
  }

  /** What a tap means now: the same words never mean two passes, nor one of a training and one of the day. @param {string} act */
  #meaning(act) {
    const { table } = this.known();
    return `${act} ${table?.training ? "~" : ""}${table?.phase} ${table?.number}`;
  }

  /**
   * By the ticket. One id for what it means now, so a second tap asks the same; where it means something else by the time that
   * somebody could hear it, it is not asked again: a lock that was on its way for a minute is not the next pass's.
   * @param {string} act
   * @param {acts.Body} body
   */
  async #ask(act, body) {
    const meaning = this.#meaning(act);
    const isMeant = () => this.live.isLive && this.#meaning(act) === meaning;
    if (!this.known().table || this.isBusy || !this.live.isLive || !(await this.ensurePerson()) || !isMeant()) return;
    this.#busy(true);
    try {
      for (let tries = 0; tries < 2; tries++) {
        const asked = { id: this.ids.of(meaning, performance.now()), ...body, by: { person: this.person?.person } };
        const told = (/** @type {import("../ground/api.js").Answer} */ { trouble }) => this.felt.tell(trouble ? troubleText(trouble) : text("trouble.asking"));
        const answer = await this.api.settle("acts", asked, told, isMeant);
        if (answer.meaning === "ticket" && (await this.signInAnew()) && isMeant()) continue;
        if (answer.meaning === "done") this.ids.done(meaning, performance.now());
        if (answer.meaning === "refused") this.ids.forget(meaning);
        const isDone = answer.meaning === "done";
        return this.felt.tell(isDone ? "" : answer.meaning === "again" ? this.#unsure(act, meaning) : troubleText(answer.trouble), !isDone);
      }
    } finally {
      this.#busy(false);
    }
  }

  /** Where another tap would ask something else, the screen says what is so. @param {string} act @param {string} meaning */
  #unsure(act, meaning) {
    return this.#meaning(act) === meaning ? text("trouble.unsure") : "";
  }

  /** @param {boolean} isBusy */
  #busy(isBusy) {
    this.isBusy = isBusy;
    this.changed();
  }

  /** @param {string} award */
  async #pay(award) {
    const found = this.awards.find((one) => one.award === award);
    const { currency } = this.at(0);
    if (!found || !(await this.ensurePerson())) return;
    this.sign({
      title: `${text("award.pay.title", { seat: found.seat })} · ${textOr(`prize.${found.prize}`, found.prize)}`,
      confirm: text("award.paid"),
      act: () => acts.payAward(award),
      shows: (preview) => previewRows(preview, currency),
      done: () => this.felt.tell(""),
    });
  }

  /**
   * Before what somebody entered is thrown away he is asked once more.
   * @param {number} pass
   */
  askDrop(pass) {
    openSheet({
      title: text("winners.drop.title", { n: pass }), confirm: text("winners.drop"), body: [],
      confirmed: (sheet) => {
        this.drop(pass);
        sheet.close();
      },
    });
  }
}
