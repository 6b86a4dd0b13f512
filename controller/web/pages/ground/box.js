/**
 * The node of another box, as a chief's page knows it: what its floor holds, whether that can be believed, how it is asked.
 *
 * Each box beats for itself, so one is silent and the others are not. What is asked of it goes to an address of its own.
 */

import { Entities } from "./entities.js";
import { Pulse } from "./pulse.js";

/** @typedef {import("./pulse.js").Standing} Standing */
/** @typedef {Pick<import("./api.js").Api, "get" | "post" | "settle">} Asks */
/** @typedef {Pick<import("./live.js").Live, "standing" | "isLive" | "nodeTime" | "age" | "one" | "all" | "onChange">} Known */

const FLOOR = "floor:";

/** @param {string} scope @returns {string} whose floor it is; nothing, where it is no other box's */
export const boxOf = (scope) => (scope.startsWith(FLOOR) ? scope.slice(FLOOR.length) : "");

/** @param {string} box */
export const floorOf = (box) => `${FLOOR}${box}`;

export class BoxLive {
  /** @param {string} box */
  constructor(box) {
    this.entities = new Entities(floorOf(box));
    this.pulse = new Pulse(performance.now());
    /** @type {((keys: string[]) => void)[]} */
    this.listeners = [];
  }

  /** @returns {Standing} */
  get standing() {
    const now = this.pulse.standing(performance.now());
    return now === "live" && !this.entities.isWhole ? "starting" : now;
  }

  get isLive() {
    return this.standing === "live";
  }

  /** In whole seconds, how old the picture is. */
  get age() {
    return this.pulse.age(performance.now());
  }

  get nodeTime() {
    return this.pulse.nodeTime(performance.now());
  }

  /**
   * @template {object} Entity
   * @param {string} key
   * @returns {Entity | undefined}
   */
  one(key) {
    return this.entities.one(key);
  }

  /**
   * @template {object} Entity
   * @param {string} prefix
   * @returns {Entity[]}
   */
  all(prefix) {
    return this.entities.all(prefix);
  }

  /**
   * @param {(keys: string[]) => void} listener
   * @returns {() => void} no longer
   */
  onChange(listener) {
    this.listeners.push(listener);
    return () => {
      this.listeners = this.listeners.filter((one) => one !== listener);
    };
  }

  /** @param {string[]} keys */
  tell(keys) {
    for (const listener of this.listeners) listener(keys);
  }
}

/** Whoever asks another box: as Api asks the own one. */
export class BoxApi {
  /** @param {import("./api.js").Api} api @param {string} box */
  constructor(api, box) {
    this.api = api;
    this.box = box;
  }

  /** @param {string} path */
  get(path) {
    return this.api.get(`box/${this.box}/${path}`);
  }

  /** @param {string} path @param {object} body */
  post(path, body) {
    return this.api.post(`box/${this.box}/${path}`, body);
  }

  /**
   * @param {string} path
   * @param {object} body
   * @param {(answer: import("./answers.js").Answer) => void} [told]
   */
  settle(path, body, told) {
    return this.api.settle(`box/${this.box}/${path}`, body, told);
  }
}
