/**
 * Every word that a page shows, by key, in the language of this terminal. Spanish first, English switchable; a sign has the one of its layout.
 *
 * The words stand in texts/es.js and texts/en.js and nowhere else (what the node says: said.js); a key that one of them lacks is an error of the types.
 * `{name}` in a text is filled in. A key with `.one` and `.many` beside it is counted.
 */

import { en } from "./texts/en.js";
import { es } from "./texts/es.js";

/** @typedef {keyof typeof es} Key */
/** @typedef {"es" | "en"} Language */
/** @typedef {Record<string, string | number>} Values */

const HOLE = /\{(\w+)\}/g;
const KEPT = "pozo.language";
/** @type {Record<Language, Record<Key, string>>} */
const ALL = { es, en };

/** Of who has chosen none: as the page came. */
const served = typeof document === "undefined" ? "es" : document.documentElement.lang;
/** @type {Language | undefined} */
let told;

/** @returns {Language} */
export function language() {
  if (told) return told;
  const chosen = typeof localStorage === "undefined" ? null : localStorage.getItem(KEPT);
  return (chosen ?? served) === "en" ? "en" : "es";
}

/** The page comes again in the other language; what was begun is kept by whoever began it. */
export function switchLanguage() {
  localStorage.setItem(KEPT, language() === "es" ? "en" : "es");
  location.reload();
}

/**
 * For a page at which nobody chooses: its settings say its language.
 * @param {Language} language
 */
export function speak(language) {
  told = language;
  applyLanguage();
}

/** The page says in which language it is, to those who hear it read. */
export function applyLanguage() {
  document.documentElement.lang = language();
}

/**
 * @param {Key} key
 * @param {Values} [values]
 */
export function text(key, values = {}) {
  return filled(ALL[language()][key], values);
}

/**
 * What goes on record, in the language of the record, whatever this page shows.
 * @param {Key} key
 */
export const recorded = (key) => es[key];

/**
 * What somebody put on record by `recorded`, in the language of the page; other words as they are.
 * @param {string} begins how such keys begin
 * @param {string} words
 */
export function recordedAs(begins, words) {
  const key = /** @type {Key[]} */ (Object.keys(es)).find((one) => one.startsWith(begins) && es[one] === words);
  return key ? text(key) : words;
}

/**
 * The text of a key that was put together from what somebody else says; what he said, where we have no word for it.
 * @param {string} key
 * @param {string} otherwise
 * @param {Values} [values]
 */
export function textOr(key, otherwise, values = {}) {
  return isKey(key) ? text(key, values) : otherwise;
}

/**
 * @param {string} key
 * @returns {key is Key}
 */
export function isKey(key) {
  return Object.hasOwn(es, key);
}

/**
 * One or many: `counted("seats.missing", 2)` is the text `seats.missing.many` with `{n}`.
 * @param {string} key
 * @param {number} n
 * @param {Values} [values]
 */
export function counted(key, n, values = {}) {
  return textOr(`${key}.${n === 1 ? "one" : "many"}`, key, { n, ...values });
}

/**
 * A fault by its name; some bring a number at its end.
 * @param {string} fault
 */
export function faultText(fault) {
  const [, kind = fault, n = ""] = fault.match(/^(.+)_(\d+)$/) ?? [];
  return textOr(`fault.${kind}`, fault, { n });
}

/**
 * @param {string} words
 * @param {Values} values
 */
export function filled(words, values) {
  return words.replace(HOLE, (found, name) => String(values[name] ?? found));
}
