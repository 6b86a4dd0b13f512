/**
 * A prize that was confirmed, large: the hand, the amount, the place, and gold that falls.
 *
 * It takes the whole glass for less than ten seconds, because no pot may be out of sight for longer, and the words of the
 * law stay below it all the time. Nothing flashes: what moves moves slowly, and brightness changes by degrees.
 */

import { element, mark, say } from "../ground/element.js";
import { written } from "../ground/money.js";
import { text } from "../ground/texts.js";
import { showAmount } from "./glass.js";
import { prizeName } from "./lines.js";

const WHOLE = 9000;
const FADE = 700;
const GOLD = 160;
const TURN = 1000 / 30;

/** @typedef {{x: number, y: number, size: number, speed: number, sway: number, phase: number, hue: number}} Grain */

export class Celebration {
  /** @param {HTMLElement} page */
  constructor(page) {
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.hand = element("p", { class: "won-hand" });
    this.amount = element("p", { class: "won-amount" });
    this.place = element("p", { class: "won-place" });
    this.piece = element("section", { class: "won", role: "status", hidden: true }, this.canvas, this.hand, this.amount, this.place);
    page.append(this.piece);
    this.since = 0;
    this.award = "";
    this.drawn = 0;
    /** @type {Grain[]} */
    this.gold = [];
  }

  get isOn() {
    return !this.piece.hidden;
  }

  /** Whether it must be drawn again in the next frame. */
  get moves() {
    return this.isOn;
  }

  /**
   * @param {import("./prizes.js").Prize | undefined} prize
   * @param {import("../ground/vocabulary.js").PotEntity | undefined} pot
   * @param {number} now
   */
  show(prize, pot, now) {
    const isOn = prize !== undefined && now - prize.since < WHOLE;
    if (isOn && this.award !== prize.award.award) this.#begin(prize, pot, now);
    if (!isOn) this.award = "";
    mark(this.piece, "hidden", !isOn);
    if (isOn) this.#draw(now);
  }

  /**
   * @param {import("./prizes.js").Prize} prize
   * @param {import("../ground/vocabulary.js").PotEntity | undefined} pot
   * @param {number} now
   */
  #begin({ award }, pot, now) {
    this.award = award.award;
    this.since = now;
    say(this.hand, prizeName(award.prize));
    showAmount(this.amount, written(award.amount ?? 0, pot), pot?.symbol ?? "$");
    this.hand.style.setProperty("--letters", String(Math.max(7, this.hand.textContent?.length ?? 0)));
    const credits = award.promo ? ` · ${text("sign.prize.promo")}` : "";
    say(this.place, `${text("sign.place", { table: award.table, seat: award.seat })}${credits}`);
    const law = document.querySelector(".law")?.getBoundingClientRect();
    this.piece.style.setProperty("--law", `${law ? innerHeight - law.top : 0}px`);
    this.canvas.width = Math.min(innerWidth, 1920);
    this.canvas.height = Math.round((this.canvas.width * innerHeight) / innerWidth);
    this.gold = Array.from({ length: GOLD }, (_, at) => grain(at));
  }

  /** @param {number} now */
  #draw(now) {
    if (now - this.drawn < TURN) return;
    this.drawn = now;
    const brush = this.canvas.getContext("2d");
    if (!brush) return;
    const { width, height } = this.canvas;
    const passed = now - this.since;
    const light = Math.min(1, passed / FADE, Math.max(0, (WHOLE - passed) / FADE));
    brush.clearRect(0, 0, width, height);
    for (const one of this.gold) {
      const y = ((one.y + (passed / 1000) * one.speed) % 1.1) * height;
      const x = (one.x + Math.sin(passed / 900 + one.phase) * one.sway) * width;
      const turn = Math.abs(Math.cos(passed / 700 + one.phase));
      brush.globalAlpha = 0.75 * light;
      brush.fillStyle = `hsl(${one.hue} 75% ${38 + 22 * turn}%)`;
      brush.fillRect(x, y, one.size * height, one.size * height * (0.25 + 0.75 * turn));
    }
  }
}

/**
 * A piece of gold, always the same for the same number: chance is for the tables.
 * @param {number} at
 * @returns {Grain}
 */
function grain(at) {
  const part = (/** @type {number} */ by) => (at * by) % 1;
  return {
    x: part(0.618034),
    y: part(0.754878),
    size: 0.01 + 0.022 * part(0.569840),
    speed: 0.05 + 0.09 * part(0.438579),
    sway: 0.01 + 0.02 * part(0.850651),
    phase: 6.28 * part(0.324718),
    hue: 38 + 14 * part(0.682328),
  };
}
