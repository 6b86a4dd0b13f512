// A page on a clock of the test's: `virtual.run` lets so many milliseconds pass as fast as the machine can, with what is heard meanwhile.
// Timers, frames (60 a second, as long as somebody wants one), Date and performance.now are on it; fetch, keys and painting are real, and
// have their turn each virtual second. The stream is told by the test: whoever opens an EventSource is given what `run` was given.
(() => {
  const FRAME = 1000 / 60, SECOND = 1000;
  const RealDate = Date, began = RealDate.now(), channel = new MessageChannel();
  /** @type {Map<number, {at: number, each: number, does: () => void}>} */
  const timers = new Map();
  let now = 0, last = 0, frames = [], nextFrame = 0, source = null, yielded = 0;
  const shown = new Map();

  const timer = (each) => (does, after = 0, ...given) => {
    const wait = Math.max(each ? 1 : 0, Number(after) || 0);
    timers.set(++last, { at: now + wait, each: each ? wait : 0, does: () => does(...given) });
    return last;
  };
  const forget = (number) => void timers.delete(number);
  Object.assign(globalThis, {
    setTimeout: timer(false), setInterval: timer(true), clearTimeout: forget, clearInterval: forget,
    requestAnimationFrame: (does) => (frames.push([++last, does]), last),
    cancelAnimationFrame: (number) => void (frames = frames.filter(([one]) => one !== number)),
    Date: class extends RealDate {
      constructor(...given) { given.length ? super(...given) : super(began + now); }
      static now() { return began + now; }
    },
    EventSource: class extends EventTarget {
      constructor() { super(); source = this; }
      close() { if (source === this) source = null; }
    },
  });
  performance.now = () => now;

  const breathe = () => new Promise((resolve) => { channel.port1.onmessage = () => resolve(undefined); channel.port2.postMessage(0); });
  const due = () => { let least = Infinity; for (const one of timers.values()) if (one.at < least) least = one.at; return least; };
  const fire = () => {
    for (const [number, one] of [...timers].filter(([, one]) => one.at <= now).sort(([, a], [, b]) => a.at - b.at)) {
      if (one.each) one.at += one.each; else timers.delete(number);
      one.does();
    }
  };
  const draw = (seen) => {
    const wanted = frames;
    frames = [];
    for (const [, does] of wanted) does(now);
    nextFrame = now + FRAME;
    for (const piece of document.querySelectorAll(".amount[data-pot]")) {
      const amount = piece.hidden ? -1 : Number(piece.textContent.replace(/\D/g, ""));
      if (shown.get(piece.dataset.pot) === amount) continue;
      shown.set(piece.dataset.pot, amount);
      seen.push([now, piece.dataset.pot, amount]);
    }
  };

  globalThis.virtual = {
    isHeard: () => source !== null,
    /**
     * @param {number} until milliseconds since the page began
     * @param {[number, string, string][]} told what the stream says, and when
     * @returns {Promise<{now: number, frames: number, seen: [number, string, number][]}>} each amount on the glass, from the frame with it; -1: none
     */
    run: async (until, told) => {
      const seen = [];
      let at = 0, drawn = 0;
      while (now < until) {
        now = Math.max(now, Math.min(until, due(), told[at]?.[0] ?? Infinity, frames.length ? nextFrame : Infinity));
        for (; at < told.length && told[at][0] <= now; at++) source?.dispatchEvent(new MessageEvent(told[at][1], { data: told[at][2] }));
        fire();
        if (frames.length && now >= nextFrame) draw(seen), drawn++;
        if (now - yielded >= SECOND) { yielded = now; await breathe(); } else await null;
      }
      return { now, frames: drawn, seen };
    },
  };
})();
