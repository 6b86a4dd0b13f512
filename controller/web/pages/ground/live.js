/**
 * What is true now: the entities of the scopes that a page looks at, and whether they can still be believed.
 *
 * `live.one("table/TX-01")` is the newest that was heard; who listens is told which keys changed, and separately how the
 * connection stands. After three seconds without a beat the picture is old: it stays, with its age, and nothing may be
 * asked. A gap, another epoch, a sleep of the machine: the whole is fetched.
 */

import { BoxLive, boxOf } from "./box.js";
import { Entities } from "./entities.js";
import { Pulse, SILENCE } from "./pulse.js";
import { SharedStream } from "./share.js";

const TICK = 250;
const PATIENCE = 1000;

export class Live {
  /**
   * @param {object} wanted
   * @param {string[]} wanted.scopes
   * @param {string} wanted.terminal
   * @param {() => Promise<boolean>} wanted.renew
   * @param {string} [wanted.base]
   */
  constructor({ scopes, terminal, renew, base = "/api/v1/" }) {
    this.base = base;
    /** @type {Map<string, Entities>} */
    this.scopes = new Map(scopes.filter((scope) => !boxOf(scope)).map((scope) => [scope, new Entities(scope)]));
    /** Other boxes, by name. @type {Map<string, BoxLive>} */
    this.boxes = new Map(scopes.map(boxOf).filter(Boolean).map((box) => [box, new BoxLive(box)]));
    this.pulse = new Pulse(performance.now());
    this.stream = new SharedStream({ terminal, scopes, base, renew, hear: (heard) => this.#heard(heard) });
    /** @type {((keys: string[]) => void)[]} */
    this.listeners = [];
    /** @type {((standing: import("./pulse.js").Standing, age: number) => void)[]} */
    this.watchers = [];
    /** @type {Set<string>} */
    this.fetching = new Set();
    this.ticked = Date.now();
    this.revived = performance.now();
    this.shown = "";
  }

  start() {
    this.stream.start();
    setInterval(() => this.#tick(), TICK);
    for (const event of ["online", "pageshow"]) addEventListener(event, () => this.#tick());
    document.addEventListener("visibilitychange", () => this.#tick());
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

  /** @param {(standing: import("./pulse.js").Standing, age: number) => void} watcher */
  onStanding(watcher) {
    this.watchers.push(watcher);
    watcher(this.standing, this.pulse.age(performance.now()));
  }

  get standing() {
    const now = this.pulse.standing(performance.now());
    return now === "live" && ![...this.scopes.values()].every((scope) => scope.isWhole) ? "starting" : now;
  }

  /** Whether something may be asked now. */
  get isLive() {
    return this.standing === "live";
  }

  /** In whole seconds, how old the picture is. */
  get age() {
    return this.pulse.age(performance.now());
  }

  /** The node's clock, in milliseconds. */
  get nodeTime() {
    return this.pulse.nodeTime(performance.now());
  }

  /**
   * @template {object} Entity
   * @param {string} key
   * @returns {Entity | undefined}
   */
  one(key) {
    for (const scope of this.scopes.values()) {
      const found = scope.one(key);
      if (found) return /** @type {Entity} */ (found);
    }
    return undefined;
  }

  /**
   * @template {object} Entity
   * @param {string} prefix
   * @returns {Entity[]}
   */
  all(prefix) {
    /** @type {Map<string, object>} */
    const found = new Map();
    for (const scope of this.scopes.values()) {
      for (const [key, entity] of scope.known) if (key.startsWith(prefix)) found.set(key, entity);
    }
    return /** @type {Entity[]} */ ([...found.values()]);
  }

  /** @param {import("./share.js").Heard} heard */
  #heard({ event, data }) {
    if (event === "beat" && data.box) return this.#beatOf(this.boxes.get(data.box), data);
    if (event === "beat") {
      this.pulse.beat(performance.now(), data);
      for (const scope of this.scopes.values()) if (!scope.isWhole) void this.#fetch(scope);
      this.#tellStanding();
      return;
    }
    const scope = this.#scope(data.scope);
    if (!scope) return;
    const keys = event === "whole" ? scope.takeWhole(data) : scope.takeChange(data);
    if (keys === null) void this.#fetch(scope);
    else this.#tellOf(scope, keys);
  }

  /**
   * @param {BoxLive | undefined} box
   * @param {{at: number, node: boolean}} beat
   */
  #beatOf(box, beat) {
    if (!box) return;
    const before = box.standing;
    box.pulse.beat(performance.now(), beat);
    if (beat.node && !box.entities.isWhole) void this.#fetch(box.entities);
    if (box.standing !== before) box.tell([]);
  }

  /** @param {string} scope */
  #scope(scope) {
    return this.scopes.get(scope) ?? this.boxes.get(boxOf(scope))?.entities;
  }

  /** @param {Entities} scope @param {string[]} keys */
  #tellOf(scope, keys) {
    const box = this.boxes.get(boxOf(scope.scope));
    if (box) box.tell(keys);
    else this.#tell(keys);
  }

  /** @param {Entities} scope */
  async #fetch(scope) {
    if (this.fetching.has(scope.scope)) return;
    this.fetching.add(scope.scope);
    try {
      const signal = AbortSignal.timeout(PATIENCE * 2);
      const answer = await fetch(`${this.base}whole?scope=${encodeURIComponent(scope.scope)}`, { signal });
      if (answer.ok) this.#tellOf(scope, scope.takeWhole(await answer.json()));
    } catch {
      // Nobody answered: the next beat asks again.
    } finally {
      this.fetching.delete(scope.scope);
    }
  }

  /** @param {string[]} keys */
  #tell(keys) {
    if (keys.length) for (const listener of this.listeners) listener(keys);
    this.#tellStanding();
  }

  #tellStanding() {
    const age = this.pulse.age(performance.now());
    const shown = this.standing === "live" ? "live" : `${this.standing} ${age}`;
    if (shown === this.shown) return;
    this.shown = shown;
    for (const watcher of this.watchers) watcher(this.standing, age);
  }

  /** Time passed: is anything heard? A machine that slept hears of it by the clock on the wall, which ran on. */
  #tick() {
    const slept = Date.now() - this.ticked > SILENCE;
    this.ticked = Date.now();
    const now = performance.now();
    const isDeaf = this.pulse.standing(now) === "silent";
    if (slept || (isDeaf && now - this.revived > SILENCE)) {
      this.revived = now;
      if (slept) for (const scope of [...this.scopes.values(), ...[...this.boxes.values()].map((box) => box.entities)]) scope.forget();
      this.stream.revive();
    }
    this.#tellStanding();
  }
}
