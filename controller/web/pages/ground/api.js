/**
 * How a page asks: JSON by POST, each one signed with the terminal's key, the same id until there is an answer.
 *
 * An id names one act for ever, so asking the same again does nothing twice: whoever got no answer repeats it. The session's
 * cookie is renewed with the key whenever the web process has forgotten it.
 */

import { answerOf } from "./answers.js";
import { signature } from "./key.js";

const BASE = "/api/v1/";
const PATIENCE = 5000;
const PAUSE = 350;
const TRIES = 40;

/** @typedef {import("./answers.js").Answer} Answer */
/** @typedef {import("./key.js").Terminal} Terminal */
/** @typedef {{terminal: string, use: string, place: string}} Standing */

export class Api {
  /**
   * @param {Terminal} terminal
   * @param {string} [base]
   */
  constructor(terminal, base = BASE) {
    this.terminal = terminal;
    this.base = base;
    /** @type {Promise<Answer> | null} */
    this.greeting = null;
  }

  /**
   * Show the key, and have a session. Several who ask at once share one greeting.
   * @returns {Promise<Answer>}
   */
  hello() {
    this.greeting ??= this.#hello().finally(() => (this.greeting = null));
    return this.greeting;
  }

  /** Whether there is a session of this terminal. A new one ends the old one and its stream, so it is made only where it is needed. */
  async renew() {
    return (await this.greeted()).meaning === "done";
  }

  /** @returns {Promise<Answer>} of whoever let us in, or why not */
  async greeted() {
    const answer = await this.get("house");
    const house = /** @type {{terminal?: {terminal?: string}}} */ (answer.reply);
    const isOurs = answer.meaning === "done" && house.terminal?.terminal === this.terminal.terminal;
    return isOurs || answer.meaning === "again" ? answer : this.hello();
  }

  /** @param {string} path */
  async get(path) {
    return this.#fetched(path, {});
  }

  /**
   * Ask once.
   * @param {string} path
   * @param {object} body
   * @returns {Promise<Answer>}
   */
  async post(path, body) {
    const answer = await this.#posted(path, body);
    if (answer.meaning !== "session") return answer;
    const greeted = await this.hello();
    return greeted.meaning === "done" ? this.#posted(path, body) : greeted;
  }

  /**
   * Ask the same until there is an answer, as long as it is meant; `told` hears of each that was none.
   * @param {string} path
   * @param {object} body
   * @param {(answer: Answer) => void} [told]
   * @param {() => boolean} [isMeant]
   * @returns {Promise<Answer>}
   */
  async settle(path, body, told = () => {}, isMeant = () => true) {
    let answer = await this.post(path, body);
    for (let tries = 1; answer.meaning === "again" && tries < TRIES; tries++) {
      told(answer);
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (!isMeant()) break;
      answer = await this.post(path, body);
    }
    return answer;
  }

  /** @returns {Promise<Answer>} */
  async #hello() {
    const asked = await this.#fetched("challenge", {});
    const challenge = /** @type {{challenge?: string}} */ (asked.reply).challenge;
    if (asked.meaning !== "done" || !challenge) return asked;
    const signed = await signature(this.terminal.pair, `pozo hello 1\n${location.origin}\n${challenge}`);
    return this.#posted("hello", { terminal: this.terminal.terminal, challenge, signature: signed });
  }

  /**
   * @param {string} path
   * @param {object} body
   */
  async #posted(path, body) {
    const text = JSON.stringify(body);
    const said = `pozo act 1\n${location.origin}\n${this.base}${path}\n${text}`;
    const headers = {
      "Content-Type": "application/json",
      "Pozo-Signature": await signature(this.terminal.pair, said),
    };
    return this.#fetched(path, { method: "POST", headers, body: text });
  }

  /**
   * @param {string} path
   * @param {RequestInit} how
   * @returns {Promise<Answer>}
   */
  async #fetched(path, how) {
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      const answer = await fetch(`${this.base}${path}`, { ...how, signal, credentials: "same-origin" });
      return answerOf(answer.status, await answer.json().catch(() => ({})));
    } catch {
      return answerOf(0, {});
    }
  }
}
