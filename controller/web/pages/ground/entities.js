/**
 * What a page knows of the casino: entities by key, as the stream tells them.
 *
 * A `whole` replaces everything of its scope; a `change` sets some keys and takes some away. Changes are numbered: one that
 * is not the next of its epoch says that something was lost, nothing of it is taken, and the reader asks for the whole.
 * Pure: no clock, no network, no page.
 */

/**
 * @typedef {object} Told
 * @property {string} scope
 * @property {string | number} epoch
 * @property {number} n
 * @property {number} at
 * @property {Record<string, object>} [set]
 * @property {string[]} [gone]
 */

export class Entities {
  /** @param {string} scope */
  constructor(scope) {
    this.scope = scope;
    /** @type {string | number | null} */
    this.epoch = null;
    this.n = 0;
    /** The node's clock, in milliseconds, when this was true. */
    this.at = 0;
    /** @type {Map<string, object>} */
    this.known = new Map();
  }

  get isWhole() {
    return this.epoch !== null;
  }

  /**
   * @param {Told} told
   * @returns {string[]} the keys that are otherwise now
   */
  takeWhole(told) {
    if (this.epoch === told.epoch && told.n < this.n) return [];
    const before = this.known;
    this.known = new Map(Object.entries(told.set ?? {}));
    this.#stand(told);
    return [...new Set([...before.keys(), ...this.known.keys()])];
  }

  /**
   * @param {Told} told
   * @returns {string[] | null} the keys that are otherwise now; null: something was lost, ask for the whole
   */
  takeChange(told) {
    if (this.epoch === told.epoch && told.n <= this.n) return [];
    if (this.epoch !== told.epoch || told.n !== this.n + 1) return null;
    for (const [key, entity] of Object.entries(told.set ?? {})) this.known.set(key, entity);
    for (const key of told.gone ?? []) this.known.delete(key);
    this.#stand(told);
    return [...Object.keys(told.set ?? {}), ...(told.gone ?? [])];
  }

  /** What was heard is to be doubted: the next thing that counts is a whole. */
  forget() {
    this.epoch = null;
  }

  /**
   * @template {object} Entity
   * @param {string} key
   * @returns {Entity | undefined}
   */
  one(key) {
    return /** @type {Entity | undefined} */ (this.known.get(key));
  }

  /**
   * All of a kind, as they were told: `all("seat/TX-01/")`.
   * @template {object} Entity
   * @param {string} prefix
   * @returns {Entity[]}
   */
  all(prefix) {
    return /** @type {Entity[]} */ ([...this.known].filter(([key]) => key.startsWith(prefix)).map(([, one]) => one));
  }

  /** As a `whole`, for another window of this browser. */
  told() {
    return { scope: this.scope, epoch: this.epoch ?? "", n: this.n, at: this.at, set: Object.fromEntries(this.known) };
  }

  /** @param {Told} told */
  #stand(told) {
    this.epoch = told.epoch;
    this.n = told.n;
    this.at = told.at;
  }
}
