"""What a page shows, and when: for the benches of the web. A page's clock and ours are one machine's, to the millisecond.

The frame with it: an amount that was written stands on the glass when its frame is handed over, of which a page hears nothing. So
what is noted is the beginning of the next frame: what is measured is late by up to a frame, and never early.
"""

import time

FRAME_WITH_IT = """(selector) => {
  globalThis.drawn = [];
  globalThis.touched = [];
  const piece = document.querySelector(selector);
  const read = () => Number(piece.textContent.replace(/[^0-9]/g, ""));
  const note = () => { const amount = read(); requestAnimationFrame(() => drawn.push([Date.now(), amount])); };
  new MutationObserver(note).observe(piece, { childList: true, subtree: true, characterData: true });
  addEventListener("pointerdown", () => touched.push(Date.now()), { capture: true });
}"""
"""From now on: `drawn`, each other amount of a piece with its frame; `touched`, when a finger came down."""


def wall() -> float:
    """Milliseconds since 1970, as a page and a record count them."""
    return time.time() * 1_000
