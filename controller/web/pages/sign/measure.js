/**
 * `?measure`: what this very box and screen do, in figures, over the picture: for the technician who hangs it.
 *
 * From commit to glass is the node's clock against this machine's, so it is a figure only where both are one machine or
 * one time server keeps them; elsewhere the line says so. Nothing is measured that the browser does not tell: then
 * "not measured" stands there.
 */

import { element, say } from "../ground/element.js";

const MOST = 1000;
const EACH = 1000;
const FRAMES = 240;

export class Measure {
  /**
   * @param {HTMLElement} page
   * @param {import("../ground/live.js").Live} live
   */
  constructor(page, live) {
    this.live = live;
    /** @type {number[]} */
    this.ways = [];
    /** @type {number[]} */
    this.frames = [];
    this.heardAt = 0;
    this.last = performance.now();
    this.words = element("pre", { class: "measure" });
    page.append(this.words);
    setInterval(() => say(this.words, this.#figures()), EACH);
    this.#frame();
  }

  /** A change was heard: the instant at which it was true at the node. */
  heard() {
    this.heardAt = Math.max(...[...this.live.scopes.values()].map((scope) => scope.at));
  }

  /** It was drawn. */
  painted() {
    if (!this.heardAt) return;
    const committed = this.heardAt;
    this.heardAt = 0;
    requestAnimationFrame(() => {
      this.ways.push(Date.now() - committed);
      if (this.ways.length > MOST) this.ways.shift();
    });
  }

  #frame() {
    requestAnimationFrame(() => {
      const now = performance.now();
      this.frames.push(now - this.last);
      this.last = now;
      if (this.frames.length > FRAMES) this.frames.shift();
      this.#frame();
    });
  }

  #figures() {
    const memory = /** @type {{memory?: {usedJSHeapSize: number}}} */ (/** @type {unknown} */ (performance)).memory;
    const away = this.ways.some((way) => way < 0 || way > 60_000);
    return [
      `screen ${screen.width} x ${screen.height}, ${devicePixelRatio} pixels a CSS pixel`,
      `frame p50 ${at(this.frames, 0.5)} ms, p99 ${at(this.frames, 0.99)} ms`,
      `commit to glass ${away ? "not measured: two clocks" : `p50 ${at(this.ways, 0.5)} ms, p99 ${at(this.ways, 0.99)} ms of ${this.ways.length}`}`,
      `heap ${memory ? `${(memory.usedJSHeapSize / 2 ** 20).toFixed(1)} MiB` : "not measured"}`,
    ].join("\n");
  }
}

/**
 * @param {number[]} figures
 * @param {number} part
 */
function at(figures, part) {
  if (!figures.length) return "not measured";
  return [...figures].sort((a, b) => a - b)[Math.min(figures.length - 1, Math.floor(figures.length * part))].toFixed(1);
}
