/**
 * A word between the consoles of one table: which pass this one is entering now, so that another croupier knows before he is
 * refused. The web process forgets it after some seconds; nothing is decided by it.
 */

const SAID_EVERY = 4000;

/** @typedef {import("../ground/vocabulary.js").NoteEntity} NoteEntity */

export class Noting {
  /** @param {{post: (path: string, body: object) => Promise<unknown>}} api @param {string} table */
  constructor(api, table) {
    this.api = api;
    this.table = table;
    this.said = 0;
    this.saidAt = -Infinity;
  }

  /**
   * This console enters that pass now; 0: none. Said at once when it changes, and again while it lasts.
   * @param {number} pass
   * @param {number} now
   */
  say(pass, now) {
    const isDue = pass !== this.said || (pass > 0 && now - this.saidAt >= SAID_EVERY);
    if (!isDue) return;
    this.said = pass;
    this.saidAt = now;
    void this.api.post("note", { table: this.table, number: pass });
  }
}

/**
 * The other consoles that enter this pass.
 * @param {NoteEntity | undefined} note
 * @param {string} terminal this one
 * @param {number} pass
 * @returns {string[]}
 */
export function othersAt(note, terminal, pass) {
  const others = (note?.entering ?? []).filter((one) => one.terminal !== terminal && one.number === pass);
  return others.map((one) => one.terminal);
}
