/**
 * Letters for a finger: a console hangs without a keyboard, and its browser brings none.
 *
 * A finger on a field for words opens a sheet with keys; what it typed stands in the field when it is left by its button, and not
 * before. Who has a keyboard types in the field as ever, and on the sheet as well. A PIN is dots here too.
 */

import { element, fill, mark, say } from "./element.js";
import { openSheet } from "./sheet.js";
import { text } from "./texts.js";

const DIGITS = ["1234567890"];
const LETTERS = [...DIGITS, "qwertyuiop", "asdfghjklñ", "zxcvbnm-./"];

/** From now on, for every field for words on this page. */
export function typesByFinger() {
  const fieldOf = (/** @type {Event} */ event) => (event.target instanceof HTMLInputElement && /^(text|password)$/.test(event.target.type) ? event.target : null);
  const isFinger = (/** @type {Event} */ event) => event instanceof PointerEvent && event.pointerType === "touch";
  addEventListener("pointerdown", (event) => {
    const field = fieldOf(event);
    if (field && isFinger(event)) field.readOnly = true; // else a tablet would lift keys of its own over these
  }, { capture: true });
  addEventListener("click", (event) => {
    const field = fieldOf(event);
    if (!field || !isFinger(event)) return;
    field.blur();
    field.readOnly = false;
    openKeys(field);
  }, { capture: true });
}

/** @param {HTMLInputElement} field */
function openKeys(field) {
  let words = field.value;
  let isUpper = false;
  const isSecret = field.type === "password";
  const isNumber = field.inputMode === "numeric";
  const shown = element("output", { class: "typed" });
  const keys = element("div", { class: "letters", role: "group", "data-numbers": isNumber });
  const sheet = openSheet({ title: labelOf(field), kind: "typing", confirm: text("sheet.done"), body: [shown, keys], confirmed: take });
  sheet.dialog.addEventListener("keydown", typed);
  const rows = (isNumber ? DIGITS : LETTERS).join("");
  const letters = [...rows].map((letter) => key(letter, () => put(isUpper ? letter.toUpperCase() : letter)));
  const back = key(text("pin.back"), () => change(words.slice(0, -1)));
  const upper = key(text("typing.upper"), () => {
    isUpper = !isUpper;
    show();
  });
  const space = key(text("typing.space"), () => put(" "));
  fill(keys, [...letters, element("span", { class: "wide" }, ...(isNumber ? [back] : [upper, space, back]))]);
  show();

  /** @param {string} said @param {() => void} press */
  function key(said, press) {
    return element("button", { type: "button", class: "key", click: press }, said);
  }

  /** @param {string} letter */
  function put(letter) {
    if (field.maxLength < 0 || words.length < field.maxLength) change(words + letter);
  }

  /** @param {string} changed */
  function change(changed) {
    words = changed;
    show();
  }

  function show() {
    say(shown, isSecret ? "●".repeat(words.length) : words);
    mark(upper, "aria-pressed", isUpper ? "true" : "false");
    letters.forEach((one, at) => say(one, isUpper ? (rows[at] ?? "").toUpperCase() : (rows[at] ?? "")));
  }

  /** @param {KeyboardEvent} event */
  function typed(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Backspace") change(words.slice(0, -1));
    else if (event.key.length === 1 && event.key !== " ") put(event.key);
  }

  function take() {
    field.value = words;
    for (const told of ["input", "change"]) field.dispatchEvent(new Event(told, { bubbles: true }));
    sheet.close();
  }
}

/** What is asked in it. @param {HTMLInputElement} field */
function labelOf(field) {
  const label = field.labels?.[0];
  return field.getAttribute("aria-label") ?? label?.textContent?.trim() ?? "";
}
