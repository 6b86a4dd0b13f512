/**
 * Against a hasty finger: a button that means something new sleeps for a moment, a second tap is the first one again, a
 * dimmed screen only wakes, and what confirms never appears under the finger that opened it.
 *
 * The ids of acts live here too: one for each meaning ("lock of pass 9"), so that a tap that is repeated asks the same
 * again and nothing is done twice.
 */

import { newId } from "./key.js";
import { perMillimetre } from "./millimetres.js";
import { SILENCE } from "./pulse.js";

/** Longer than the second tap of a hasty finger takes: 30 to 400 ms. */
export const SLEEP = 420;
const BREATH = 700;
const AWAY = 8;

/** When a button may be pressed. Pure: who asks brings the time. */
export class Nap {
  /** @param {number} [sleep] milliseconds after it came to mean something else */
  constructor(sleep = SLEEP) {
    this.sleep = sleep;
    this.until = 0;
    this.meaning = "";
  }

  /**
   * @param {string} meaning
   * @param {number} now
   */
  means(meaning, now) {
    if (meaning === this.meaning) return;
    this.meaning = meaning;
    this.until = Math.max(this.until, now + this.sleep);
  }

  /**
   * How long no tap counts yet, in milliseconds.
   * @param {number} now
   */
  left(now) {
    return Math.max(0, this.until - now);
  }

  /**
   * Whether a tap counts; one that does is followed by a breath in which none does.
   * @param {number} now
   */
  press(now) {
    if (now < this.until) return false;
    this.until = now + BREATH;
    return true;
  }
}

/**
 * One id for each meaning, until it has been answered with a no. After a yes it is kept for as long as the screen may not show yet
 * what came of it: who taps later means it once more, as when seats come back twice in one pass. Pure: who asks brings the time.
 */
export class Ids {
  constructor(make = newId) {
    this.make = make;
    /** @type {Map<string, {id: string, until: number}>} */
    this.kept = new Map();
  }

  /** @param {string} meaning @param {number} now */
  of(meaning, now) {
    const kept = this.kept.get(meaning);
    const id = kept && now < kept.until ? kept.id : this.make();
    this.kept.set(meaning, { id, until: kept && now < kept.until ? kept.until : Infinity });
    return id;
  }

  /** It was answered with a yes. @param {string} meaning @param {number} now */
  done(meaning, now) {
    const kept = this.kept.get(meaning);
    if (kept) kept.until = Math.min(kept.until, now + SILENCE);
  }

  /** @param {string} meaning */
  forget(meaning) {
    this.kept.delete(meaning);
  }
}

/** @typedef {{x: number, y: number, at: number, on: unknown}} Tap where, when in milliseconds, on what */

/**
 * A second tap at the place of the first, so soon that nobody has seen what stands there now, meant what is gone: a digit of a
 * PIN under the button that opened the pad. On the same button it counts. Pure.
 */
export class Taps {
  /** @type {Tap | undefined} */
  last;

  /**
   * @param {Tap} tap
   * @param {number} near
   */
  isEcho(tap, near) {
    const before = this.last;
    const isSoon = before !== undefined && tap.at - before.at < BREATH && Math.hypot(tap.x - before.x, tap.y - before.y) <= near;
    if (isSoon && before.on !== tap.on) return true;
    this.last = tap;
    return false;
  }
}

/** Where the last finger came down, in pixels of the page. */
const finger = { x: -1, y: -1 };
addEventListenerOnce();

function addEventListenerOnce() {
  if (typeof document === "undefined") return;
  const seen = (/** @type {PointerEvent} */ event) => Object.assign(finger, { x: event.clientX, y: event.clientY });
  document.addEventListener("pointerdown", seen, { capture: true });
  const taps = new Taps();
  const heard = (/** @type {MouseEvent} */ event) => {
    const on = event.target instanceof Element ? (event.target.closest("button, a, input, label") ?? event.target) : event.target;
    if (event.detail === 0 || !taps.isEcho({ x: event.clientX, y: event.clientY, at: event.timeStamp, on }, AWAY * perMillimetre())) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  document.addEventListener("click", heard, { capture: true });
}

/**
 * Whether a place of the page lies under the finger that came down last, or near it.
 * @param {{left: number, right: number, top: number, bottom: number}} place
 * @param {{x: number, y: number}} at
 * @param {number} near
 */
export function isUnder(place, at, near) {
  const beside = at.x < place.left - near || at.x > place.right + near;
  return !beside && at.y >= place.top - near && at.y <= place.bottom + near;
}

/**
 * Move what confirms to its other place if the finger that opened it is still there.
 * @param {HTMLElement} confirm
 * @param {number} millimetre in pixels
 */
export function keepAway(confirm, millimetre) {
  confirm.removeAttribute("data-aside");
  if (isUnder(confirm.getBoundingClientRect(), finger, AWAY * millimetre)) confirm.setAttribute("data-aside", "");
}

/**
 * The screen goes dark when nobody touches it, and the touch that wakes it does nothing else.
 * @param {{after: number, root?: HTMLElement}} how after: milliseconds without a touch
 * @returns {() => void} something happened at the table: stay awake
 */
export function dims({ after, root = document.documentElement }) {
  let [touched, woken] = [performance.now(), -BREATH];
  let wakes = false; // the touch that goes on now only wakes
  const stir = () => {
    touched = performance.now();
  };
  const wake = (/** @type {Event} */ event) => {
    stir();
    const isDimmed = root.hasAttribute("data-dimmed");
    if (isDimmed) woken = touched;
    // The click that ends a touch belongs to it, however long it was; and a second tap is the first one again.
    if (isDimmed || event.type === "keydown") wakes = isDimmed;
    else if (event.type === "pointerdown") wakes = touched - woken < BREATH;
    if (!wakes) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    root.removeAttribute("data-dimmed");
    if (event.type === "click") wakes = false;
  };
  for (const kind of ["pointerdown", "pointerup", "click", "keydown"]) {
    addEventListener(kind, wake, { capture: true });
  }
  setInterval(() => {
    if (performance.now() - touched >= after) root.setAttribute("data-dimmed", "");
  }, 1000);
  return () => {
    stir();
    root.removeAttribute("data-dimmed");
  };
}
