/**
 * The chief's floor put together: what is known of all tables, who is there, and what is asked.
 *
 * Nothing is decided here, and no signature stays: every act asks a PIN. To look at what a correction or a rejection would do,
 * a chief signs in at that table, once in ten minutes; that ticket can look and open and lock, and nothing else.
 */

import { signIn } from "../croupier/entering.js";
import { Drafts } from "../croupier/kept.js";
import { passToEnter } from "../croupier/table_state.js";
import { Signing } from "../ground/signing.js";

/** @typedef {import("../ground/vocabulary.js").TableEntity} Table */
/** @typedef {import("../ground/vocabulary.js").SeatEntity} Seat */
/** @typedef {import("../ground/vocabulary.js").AwardEntity} Award */
/** @typedef {import("../ground/vocabulary.js").PotEntity} Pot */
/** @typedef {import("../ground/vocabulary.js").Person} Person */
/** @typedef {import("../ground/signing.js").SigningOrder} SigningOrder */
/** @typedef {import("../ground/box.js").Asks} Asks */
/** @typedef {import("../ground/box.js").Known} Known */
/** @typedef {Partial<SigningOrder> & Pick<SigningOrder, "title" | "confirm" | "act" | "done">} Asked */

const CHIEFS = ["chief"];
const SECOND = ["chief", "administrator"];

export class Floor {
  /** @param {{api: Asks, live: Known}} begun @param {string} [box] whose floor it is, where it is another box's */
  constructor({ api, live }, box = "") {
    this.api = api;
    this.live = live;
    this.box = box;
    this.isReading = false;
    /** @type {Person[]} */
    this.people = [];
    /** Who looks at which table. @type {Map<string, Person>} */
    this.lookers = new Map();
    /** @type {(words: string, isWrong?: boolean) => void} */
    this.tell = () => {};
  }

  // What is known

  /** @returns {import("../ground/vocabulary.js").NodeEntity | undefined} */
  get node() {
    return this.live.one("node");
  }

  /** What the box is called. */
  get name() {
    return this.node?.node ?? this.box;
  }

  /** Whether something can be done there: it is heard, and of another box it is known who may sign. */
  get isReady() {
    return this.live.isLive && (!this.box || this.people.length > 0);
  }

  /** @returns {Table[]} */
  get tables() {
    return /** @type {Table[]} */ (this.live.all("table/")).sort((a, b) => a.table.localeCompare(b.table, "es"));
  }

  /** @param {string} name @returns {Table | undefined} */
  table(name) {
    return this.live.one(`table/${name}`);
  }

  /** @param {string} table @returns {Seat[]} */
  seatsOf(table) {
    return /** @type {Seat[]} */ (this.live.all(`seat/${table}/`)).sort((a, b) => a.seat - b.seat);
  }

  /** In paying order (R-13). @returns {Award[]} */
  get awards() {
    return /** @type {Award[]} */ (this.live.all("award/")).sort((a, b) => a.table.localeCompare(b.table) || (a.order ?? 0) - (b.order ?? 0));
  }

  /** @returns {Pot[]} */
  get pots() {
    return /** @type {Pot[]} */ (this.live.all("pot/")).sort((a, b) => a.title.localeCompare(b.title, "es"));
  }

  /** @param {string | undefined} name @returns {Pot | undefined} */
  pot(name) {
    return this.live.one(`pot/${name}`);
  }

  /** The pot of a table, as a currency too. @param {string} table */
  potOf(table) {
    return this.pot(this.table(table)?.pot?.replace(/^~/, ""));
  }

  /** @param {string} claim @returns {import("../ground/vocabulary.js").ClaimEntity | undefined} */
  claim(claim) {
    return this.live.one(`claim/${claim}`);
  }

  /** How whoever stands on record is called. @param {string} person */
  nameOf(person) {
    return this.people.find((one) => one.person === person)?.name ?? person;
  }

  // What is asked

  /** Who may sign there, as soon as its node can have said it. */
  async needPeople() {
    if (this.people.length || this.isReading || !this.live.isLive) return;
    this.isReading = true;
    const answer = await this.api.get("house");
    this.isReading = false;
    if (answer.meaning === "done") this.people = /** @type {import("../ground/vocabulary.js").House} */ (/** @type {unknown} */ (answer.reply)).people ?? [];
  }

  /** @param {Asked} order */
  sign(order) {
    this.tell("");
    return new Signing({ api: this.api, isLive: () => this.live.isLive, people: this.people, roles: CHIEFS, secondRoles: SECOND, ...order });
  }

  /**
   * With a preview: whoever signs is signed in at that table.
   * @param {string} table
   * @param {(person: Person) => Asked} orderOf
   */
  async signAt(table, orderOf) {
    const person = await this.lookAt(table);
    if (!person) return null;
    return this.sign({ by: person, renew: async () => (await this.#look(table, person)) !== null, ...orderOf(person) });
  }

  /** Who looks at a table; he is asked his PIN unless he has looked already. @param {string} table */
  async lookAt(table) {
    return this.lookers.get(table) ?? (await this.#look(table));
  }

  /**
   * @param {string} table
   * @param {Person} [person] whose ticket is over
   */
  async #look(table, person) {
    const chiefs = this.people.filter((one) => one.roles.includes("chief"));
    const entered = await signIn({ api: this.api, people: chiefs, table, ...(person ? { person } : {}) });
    if (entered) this.lookers.set(table, entered);
    return entered;
  }

  /**
   * A table as whoever registers the winners of a pass needs it (croupier/registering.js).
   * @param {string} table
   * @param {Person} person who is signed in there
   * @returns {import("../croupier/registering.js").Desk}
   */
  desk(table, person) {
    const drafts = this.draftsOf(table);
    return {
      known: () => ({ table: this.table(table) }),
      at: () => ({ currency: this.potOf(table) }),
      isRecent: (pass) => pass >= passToEnter(this.table(table)),
      sign: (order) => this.sign({ by: person, roles: ["chief", "croupier"], renew: async () => (await this.#look(table, person)) !== null, ...order }),
      drop: (pass) => drafts.drop(pass),
      tell: (words, isWrong) => this.tell(words, isWrong),
    };
  }

  /** @param {string} table */
  draftsOf(table) {
    return new Drafts(`chief/${this.box ? `${this.box}/` : ""}${table}`, localStorage);
  }
}
