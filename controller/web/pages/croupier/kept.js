/**
 * The drafts of this browser: one for each table and pass, so that a reload, a sign-out or the button that ended the pass
 * loses nothing that was entered.
 *
 * What is kept is what somebody saw on a table: hands and cards, no amount and no PIN.
 */

import { isEmpty, readDraft } from "./draft.js";

/** @typedef {import("./draft.js").Draft} Draft */

const MOST_KEPT = 8;

export class Drafts {
  /**
   * @param {string} table
   * @param {Storage} storage
   */
  constructor(table, storage) {
    this.table = table;
    this.storage = storage;
  }

  /**
   * What was begun of a pass, if something was.
   * @param {number} pass
   * @returns {Draft | null}
   */
  begun(pass) {
    return readDraft(this.storage.getItem(this.#name(pass)));
  }

  /** @param {Draft} draft */
  keep(draft) {
    const saysNothing = isEmpty(draft) && !draft.community.length && !draft.corrects; // a correction that names nobody takes winners away
    if (saysNothing) this.storage.removeItem(this.#name(draft.pass));
    else this.storage.setItem(this.#name(draft.pass), JSON.stringify(draft));
    for (const old of this.#passes().slice(0, -MOST_KEPT)) this.drop(old);
  }

  /** @param {number} pass */
  drop(pass) {
    this.storage.removeItem(this.#name(pass));
  }

  /**
   * Drafts of earlier passes that somebody still has to register or to drop, the newest first.
   * @param {number} before
   * @returns {Draft[]}
   */
  left(before) {
    const drafts = this.#passes().filter((pass) => pass < before).flatMap((pass) => this.begun(pass) ?? []);
    return drafts.filter((draft) => !isEmpty(draft)).reverse();
  }

  #passes() {
    const start = this.#name("");
    const names = Array.from({ length: this.storage.length }, (_, at) => this.storage.key(at) ?? "");
    return names.filter((name) => name.startsWith(start)).map((name) => Number(name.slice(start.length))).sort((one, other) => one - other);
  }

  /** @param {number | string} pass */
  #name(pass) {
    return `pozo.draft/${this.table}/${pass}`;
  }
}
