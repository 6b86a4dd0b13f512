/**
 * What the node says in sentences, in the language of this terminal: refusals, alarms, why a seat is closed.
 *
 * The node's own sentence is Spanish and stays where we have no word for it, also where a part of the English one is missing:
 * a sentence with a hole in it would be worse. What a person typed stays as it was typed. Amounts of money are grouped with
 * their symbol, in both languages, as `{$name}` in the English texts says which they are; where the pots of a page are of
 * different currencies, nobody knows which it is, and the digits stay as they came.
 */

import { isAmount, written } from "./money.js";
import { filled, language, recordedAs, text } from "./texts.js";
import { ALARMS } from "./texts/alarms.js";
import { DEVICES, OF_DEVICES, REASONS } from "./texts/reasons.js";
import { REFUSALS } from "./texts/refusals.js";

/** @typedef {import("./money.js").Currency} Currency */
/** @typedef {Record<string, string>} Parts */

const HOLE = /\{(\$?)(\w+)\}/g;
const DIGITS = /^\d+$/;
/** Parts that the node may fill with a fixed phrase of its own. */
const PHRASES = new Set(["why", "unit"]);

/** @type {Currency | undefined} */
let money;

/**
 * Of what the amounts in sentences are: what all pots of the page have in common.
 * @param {Currency[]} pots
 */
export function speakOfMoney(pots) {
  const [first, ...others] = pots;
  const isOne = others.every((one) => one.symbol === first?.symbol && (one.decimals ?? 0) === (first?.decimals ?? 0));
  money = first && isOne ? { symbol: first.symbol, decimals: first.decimals ?? 0 } : undefined;
}

/**
 * A refusal, with its rule.
 * @param {import("./vocabulary.js").Trouble | undefined} trouble
 */
export function troubleText(trouble) {
  if (!trouble) return text("trouble.none");
  const rule = trouble.rule ? ` (${trouble.rule})` : "";
  const { reason, message, parts } = trouble;
  return `${said(REFUSALS, reason, message, parts) || reason}${rule}`;
}

/** @param {import("./vocabulary.js").AlarmEntity} alarm */
export function alarmText({ name = "", sentence, parts }) {
  return said(ALARMS, name, sentence, parts);
}

/**
 * Why a seat is closed, or what is the matter with a device.
 * @param {string} reason as it stands on record
 */
export function reasonText(reason) {
  return language() === "es" ? reason : englishOf(reason);
}

/**
 * @param {Record<string, string>} texts
 * @param {string} name
 * @param {string} sentence
 * @param {Parts} [parts]
 */
function said(texts, name, sentence, parts = {}) {
  const english = texts[Object.hasOwn(texts, name) ? name : ""] ?? "";
  const holes = [...english.matchAll(HOLE)];
  const amounts = new Set(holes.filter(([, sign]) => sign).map(([, , part = ""]) => part));
  if (language() === "es") return grouped(sentence, parts, amounts);
  const fixed = englishOf(sentence);
  if (fixed !== sentence) return fixed;
  if (!english || !holes.every(([, , part = ""]) => Object.hasOwn(parts, part))) return grouped(sentence, parts, amounts);
  const words = Object.entries(parts).map(([part, value]) => [part, amounts.has(part) ? amountText(value) : PHRASES.has(part) ? englishOf(value) : value]);
  return filled(english.replaceAll("{$", "{"), Object.fromEntries(words));
}

/**
 * The node's own sentence with its amounts as amounts, where it is plain which digits they are.
 * @param {string} sentence
 * @param {Parts} parts
 * @param {Set<string>} amounts
 */
function grouped(sentence, parts, amounts) {
  const values = [...amounts].map((part) => parts[part] ?? "").filter((value) => DIGITS.test(value));
  return [...new Set(values)].reduce((words, value) => {
    const pieces = words.split(new RegExp(`(?<![\\w.,/-])${value}(?![\\w/-]|[.,]\\d)`));
    return pieces.length - 1 === values.filter((one) => one === value).length ? pieces.join(amountText(value)) : words;
  }, sentence);
}

/** @param {string} value */
function amountText(value) {
  return money && DIGITS.test(value) && isAmount(Number(value)) ? written(Number(value), money) : value;
}

/** @param {string} phrase */
function englishOf(phrase) {
  if (Object.hasOwn(REASONS, phrase)) return REASONS[phrase] ?? phrase;
  const device = Object.keys(DEVICES).find((name) => phrase.startsWith(`${name} `)) ?? "";
  const rest = phrase.slice(device.length + 1);
  if (device && Object.hasOwn(OF_DEVICES, rest)) return `${DEVICES[device]} ${OF_DEVICES[rest]}`;
  return recordedAs("reason.", phrase);
}
