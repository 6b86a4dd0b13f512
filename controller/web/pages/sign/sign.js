/**
 * The jackpot sign: the pots of one layout, read from ten metres, day and night, with nobody at a keyboard.
 *
 * What stands on the glass is what was committed, or on its way up to it, or words. It is drawn when something is heard and
 * while something moves; at rest nothing runs but one look a second. Each minute it looks at itself: what must be seen and
 * is not takes the theme away. It says every few seconds what it shows, so that somebody notices when that is wrong.
 */

import { mark } from "../ground/element.js";
import { connect } from "../ground/start.js";
import { speak } from "../ground/texts.js";
import { Celebration } from "./celebration.js";
import { Chime } from "./chime.js";
import { Glass } from "./glass.js";
import { isWithin } from "./hours.js";
import { Measure } from "./measure.js";
import { ageOf, freshness } from "./news.js";
import { Prizes } from "./prizes.js";
import { Reporter } from "./reporter.js";
import { Rise } from "./rise.js";
import { unseen } from "./seen.js";
import { shiftAt } from "./shift.js";
import { Theme } from "./theme.js";

const LOOK = 1000;
const MINUTE = 60_000;

/** @typedef {import("../ground/vocabulary.js").PotEntity} Pot */
/** @typedef {import("../ground/vocabulary.js").AwardEntity} Award */
/** @typedef {import("../ground/vocabulary.js").LayoutEntity} Layout */

class Sign {
  /** @param {import("../ground/start.js").Begun} begun */
  constructor({ api, live, place }) {
    this.live = live;
    this.place = place;
    this.glass = new Glass(document.body);
    this.celebration = new Celebration(document.body);
    this.chime = new Chime();
    this.theme = new Theme();
    this.reporter = new Reporter(api);
    /** @type {Map<string, Rise>} */
    this.rises = new Map();
    this.prizes = new Prizes();
    this.wasHeard = false;
    this.lastHeard = performance.now();
    this.inspectedAt = performance.now();
    this.isDrawing = false;
    /** @type {string[]} */
    this.unseen = [];
    this.measure = new URLSearchParams(location.search).has("measure") ? new Measure(document.body, live) : null;
  }

  start() {
    this.live.onChange((keys) => this.#changed(keys));
    this.live.onStanding((standing) => this.#stands(standing));
    setInterval(() => this.#look(), LOOK);
    addEventListener("resize", () => this.#draw());
    this.#draw();
  }

  /** @returns {Layout | undefined} */
  get layout() {
    return this.live.one(`layout/${this.place}`);
  }

  /** @returns {Pot[]} */
  get pots() {
    const named = (this.layout?.pots ?? []).map((name) => /** @type {Pot | undefined} */ (this.live.one(`pot/${name}`)));
    return named.filter((pot) => pot !== undefined);
  }

  /** @param {string[]} keys */
  #changed(keys) {
    const now = performance.now();
    if (keys.some((key) => key.startsWith("layout/")) && this.layout) {
      speak(this.layout.language ?? "es");
      this.theme.wear(this.layout.theme);
    }
    for (const pot of this.pots) this.#riseOf(pot.pot).hear(pot.main, now);
    this.prizes.look(/** @type {Award[]} */ (this.live.all("award/")), now, this.wasHeard);
    this.wasHeard = this.live.isLive;
    this.measure?.heard();
    this.#draw();
  }

  /** @param {import("../ground/pulse.js").Standing} standing */
  #stands(standing) {
    if (standing === "live") this.lastHeard = performance.now();
    else this.wasHeard = false;
    this.#draw();
  }

  /** Once a second: ages, hours, turns, and whether it is time to look at itself. */
  #look() {
    const now = performance.now();
    if (this.live.isLive) this.lastHeard = now;
    const shift = shiftAt(Date.now());
    document.documentElement.style.setProperty("--shift-x", String(shift.x));
    document.documentElement.style.setProperty("--shift-y", String(shift.y));
    mark(document.body, "data-dim", isWithin(this.layout?.dim, new Date()));
    if (now - this.inspectedAt >= MINUTE && !this.celebration.isOn) this.#inspect(now);
    this.reporter.look(this.glass.shown(), this.unseen, now);
    this.#draw();
  }

  /** @param {number} now */
  #inspect(now) {
    this.inspectedAt = now;
    const before = unseen(document);
    if (before.length && this.theme.takeOff()) requestAnimationFrame(() => (this.unseen = [...new Set([...before, ...unseen(document)])]));
    else this.unseen = before;
  }

  /** In the next frame; as long as something moves, in each. */
  #draw() {
    if (this.isDrawing) return;
    this.isDrawing = true;
    requestAnimationFrame(() => {
      this.isDrawing = false;
      const now = performance.now();
      this.#show(now);
      this.measure?.painted();
      if ([...this.rises.values()].some((rise) => rise.isMoving(now)) || this.celebration.moves) this.#draw();
    });
  }

  /** @param {number} now */
  #show(now) {
    const silence = this.live.isLive ? 0 : now - this.lastHeard;
    const pots = this.pots.map((pot) => {
      const age = ageOf(pot, this.live.nodeTime, silence);
      return { pot, amount: this.#riseOf(pot.pot).at(now) ?? pot.main, age, freshness: freshness(age), rises: this.#riseOf(pot.pot).isMoving(now) };
    });
    const prizes = this.prizes.shown(now);
    this.glass.show({ layout: this.layout, pots, prizes, now, isService: !this.live.one("node") || this.#isOut() });
    const celebrated = silence ? undefined : this.prizes.celebrated(now);
    this.celebration.show(celebrated, this.#potOf(celebrated), now);
    if (celebrated && this.layout?.sound && !isWithin(this.layout.quiet, new Date())) this.chime.playOnce(celebrated.award.award);
  }

  #isOut() {
    const node = /** @type {import("../ground/vocabulary.js").NodeEntity | undefined} */ (this.live.one("node"));
    return Boolean(node?.out_of_service || node?.stopping);
  }

  /**
   * @param {import("./prizes.js").Prize | undefined} prize
   * @returns {Pot | undefined}
   */
  #potOf(prize) {
    return prize && this.live.one(`pot/${prize.award.pot}`);
  }

  /** @param {string} pot */
  #riseOf(pot) {
    const known = this.rises.get(pot) ?? new Rise();
    this.rises.set(pot, known);
    return known;
  }
}

new Sign(await connect("sign", (place) => [`sign:${place}`])).start();
