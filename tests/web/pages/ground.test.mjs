// What a page knows and may do, without a page: entities, the pulse, amounts, sizes, ids and the hasty finger.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Api } from "../../../controller/web/pages/ground/api.js";
import { answerOf } from "../../../controller/web/pages/ground/answers.js";
import { Entities } from "../../../controller/web/pages/ground/entities.js";
import { Ids, Nap, SLEEP, Taps, isUnder } from "../../../controller/web/pages/ground/guard.js";
import { base64url, hexadecimal, makePair, newId, publicHalf, signature } from "../../../controller/web/pages/ground/key.js";
import { CARD_WIDTH, isMeasured, isPlausible, perMillimetre } from "../../../controller/web/pages/ground/millimetres.js";
import { written } from "../../../controller/web/pages/ground/money.js";
import { isPin } from "../../../controller/web/pages/ground/pin.js";
import { Pulse } from "../../../controller/web/pages/ground/pulse.js";
import { alarmText, reasonText, speakOfMoney, troubleText } from "../../../controller/web/pages/ground/said.js";
import { counted, faultText, filled, recorded, text, textOr } from "../../../controller/web/pages/ground/texts.js";
import { en } from "../../../controller/web/pages/ground/texts/en.js";
import { es } from "../../../controller/web/pages/ground/texts/es.js";

const SCOPE = "table:TX-01";
const whole = (n, set, epoch = "e1") => ({ scope: SCOPE, epoch, n, at: n, set });
const change = (n, set, gone = [], epoch = "e1") => ({ scope: SCOPE, epoch, n, at: n, set, gone });

test("an entity is set whole, another goes, and the rest stays", () => {
  const known = new Entities(SCOPE);
  known.takeWhole(whole(4, { "seat/TX-01/1": { seat: 1, bet: 5 }, "seat/TX-01/2": { seat: 2 }, "claim/C": {} }));

  assert.deepEqual(known.takeChange(change(5, { "seat/TX-01/1": { seat: 1 } }, ["claim/C"])), ["seat/TX-01/1", "claim/C"]);
  assert.deepEqual(known.one("seat/TX-01/1"), { seat: 1 });
  assert.deepEqual(known.all("seat/TX-01/"), [{ seat: 1 }, { seat: 2 }]);
  assert.equal(known.one("claim/C"), undefined);
});

test("a gap, another epoch, and a change before any whole ask for the whole and take nothing", () => {
  const known = new Entities(SCOPE);
  assert.equal(known.takeChange(change(1, { node: {} })), null);
  known.takeWhole(whole(4, { node: { day: "a" } }));

  assert.equal(known.takeChange(change(6, { node: { day: "b" } })), null);
  assert.equal(known.takeChange(change(5, { node: { day: "b" } }, [], "e2")), null);
  assert.deepEqual(known.one("node"), { day: "a" });
});

test("what was heard already is no gap, and an older whole changes nothing", () => {
  const known = new Entities(SCOPE);
  known.takeWhole(whole(4, { node: { day: "a" } }));

  assert.deepEqual(known.takeChange(change(4, { node: { day: "old" } })), []);
  assert.deepEqual(known.takeWhole(whole(3, { node: { day: "old" } })), []);
  assert.deepEqual(known.one("node"), { day: "a" });
});

test("a whole of another epoch takes away what is not in it, and says so", () => {
  const known = new Entities(SCOPE);
  known.takeWhole(whole(9, { node: {}, "seat/TX-01/1": {} }));

  assert.deepEqual(known.takeWhole(whole(1, { node: { day: "b" } }, "e2")).sort(), ["node", "seat/TX-01/1"]);
  assert.deepEqual(known.all("seat/"), []);
  assert.deepEqual(known.takeChange(change(2, { node: {} }, [], "e2")), ["node"]);
});

test("what one window knows is a whole for another", () => {
  const [one, other] = [new Entities(SCOPE), new Entities(SCOPE)];
  one.takeWhole(whole(4, { node: { day: "a" } }));
  one.takeChange(change(5, { "pot/p": { main: 5 } }));
  other.takeWhole(one.told());

  assert.deepEqual(other.known, one.known);
  assert.deepEqual(other.takeChange(change(6, { node: {} })), ["node"]);
});

test("three seconds without a beat are silence, with an age; a beat without a node is another thing", () => {
  const pulse = new Pulse(0);
  assert.equal(pulse.standing(2999), "starting");
  assert.equal(pulse.standing(3000), "silent");
  pulse.beat(10_000, { at: 1_700_000_010_000, node: true });
  assert.equal(pulse.standing(12_999), "live");
  assert.equal(pulse.standing(13_000), "silent");
  assert.equal(pulse.age(72_900), 62);
  assert.equal(pulse.nodeTime(11_000), 1_700_000_011_000);
  pulse.beat(14_000, { at: 1, node: false });
  assert.equal(pulse.standing(14_500), "no_node");
  assert.equal(pulse.age(15_000), 5, "since the node was heard, not who tells of it");
});

test("amounts are grouped as Chile writes them, from minor units, to the last digit", () => {
  assert.equal(written(5_000_000, { symbol: "$" }), "$\u00a05.000.000");
  assert.equal(written(0, { symbol: "$", decimals: 0 }), "$\u00a00");
  assert.equal(written(123_456, { symbol: "Bs", decimals: 2 }), "Bs\u00a01.234,56");
  assert.equal(written(5, { symbol: "Bs", decimals: 2 }), "Bs\u00a00,05");
  assert.equal(written(-1_000, { symbol: "$" }), "-$\u00a01.000");
  assert.equal(written(999, undefined), "$\u00a0999");
  assert.equal(written(Number.MAX_SAFE_INTEGER, { symbol: "$" }), "$\u00a09.007.199.254.740.991");
});

test("an amount of which a browser does not have the digits is words, and nothing is thrown", () => {
  for (const wrong of [0.5, NaN, 2 ** 53, -(2 ** 53), Infinity, JSON.parse("9223372036854775807")]) {
    assert.equal(written(wrong, { symbol: "$" }), "monto imposible");
    assert.equal(written(wrong, undefined), "monto imposible");
  }
});

test("a millimetre is what the card said, and the usual one before", () => {
  const storage = new Map();
  const asStorage = { getItem: (key) => storage.get(key) ?? null };
  assert.equal(perMillimetre(asStorage).toFixed(3), "3.780");
  assert.equal(isMeasured(asStorage), false);
  storage.set("pozo.mm", "5.93");
  assert.equal(perMillimetre(asStorage), 5.93);
  for (const wrong of ["0", "-4", "1000", "much"]) {
    storage.set("pozo.mm", wrong);
    assert.equal(perMillimetre(asStorage).toFixed(3), "3.780");
  }
  assert.equal(isPlausible(507 / CARD_WIDTH), true);
});

test("an id is kept for its meaning, and another one comes after a no", () => {
  const ids = new Ids();
  const first = ids.of("lock 9", 0);
  assert.match(first, /^[0-9a-f]{32}$/);
  assert.equal(ids.of("lock 9", 60_000), first, "no answer: it is asked again");
  assert.notEqual(ids.of("open 10", 60_000), first);
  ids.forget("lock 9");
  assert.notEqual(ids.of("lock 9", 60_000), first);
  assert.equal(new Set(Array.from({ length: 1000 }, newId)).size, 1000);
});

test("what was done is the same act for as long as no screen may show it, and then another one", () => {
  const ids = new Ids();
  const first = ids.of("reopen 9", 0);
  ids.done("reopen 9", 100);
  assert.equal(ids.of("reopen 9", 3_099), first);
  ids.done("reopen 9", 3_099);
  const second = ids.of("reopen 9", 3_100);
  assert.notEqual(second, first);
  assert.equal(ids.of("reopen 9", 60_000), second);
});

test("what is no longer meant is not asked again", async () => {
  class Deaf extends Api {
    asked = 0;
    async post() {
      this.asked += 1;
      return answerOf(this.asked < 3 ? 0 : 200, {});
    }
  }
  const [patient, other] = [new Deaf({}), new Deaf({})];
  assert.equal((await patient.settle("acts", {})).meaning, "done");
  assert.equal((await other.settle("acts", {}, () => {}, () => other.asked < 2)).meaning, "again");
  assert.deepEqual([patient.asked, other.asked], [3, 2]);
});

test("what goes on record is Spanish, whatever the page shows", () => {
  globalThis.localStorage = { getItem: () => "en" };
  try {
    assert.equal(text("reason.lamp"), "Lamp dark");
    assert.equal(recorded("reason.lamp"), "Luz apagada");
  } finally {
    delete globalThis.localStorage;
  }
});

test("six to twelve digits are a PIN, and no reason", () => {
  assert.deepEqual(["333333", "123456789012", "12345", "1234567890123", "mesa 333333", ""].map(isPin), [true, true, false, false, false, false]);
});

test("a button that came to mean something else sleeps, and a second tap within a breath is none", () => {
  const nap = new Nap();
  nap.means("lock 9", 0);
  assert.equal(nap.press(SLEEP - 1), false);
  assert.equal(nap.press(SLEEP), true);
  for (const later of [30, 100, 200, 300, 400, 699]) assert.equal(nap.press(SLEEP + later), false);
  nap.means("open 10", 310);
  assert.equal(nap.press(700), false);
  nap.means("open 10", 999);
  assert.equal(nap.press(SLEEP + 699), false);
  assert.equal(nap.press(SLEEP + 700), true);
});

test("a tap at any moment of a thousand double taps does one thing", () => {
  for (let trial = 0; trial < 1000; trial++) {
    const [apart, sealed] = [30 + (trial % 371), (trial * 7) % 500];
    const nap = new Nap();
    nap.means("lock", -1000);
    const pressed = [nap.press(0)];
    if (sealed <= apart) nap.means("next", sealed);
    pressed.push(nap.press(apart));
    assert.deepEqual(pressed, [true, false], `${apart} ms apart, sealed after ${sealed}`);
  }
});

test("what lies under the finger is seen, also beside its edge", () => {
  const place = { left: 100, right: 200, top: 100, bottom: 150 };
  assert.equal(isUnder(place, { x: 150, y: 120 }, 0), true);
  assert.equal(isUnder(place, { x: 95, y: 120 }, 8), true);
  assert.equal(isUnder(place, { x: 91, y: 120 }, 8), false);
  assert.equal(isUnder(place, { x: 150, y: 159 }, 8), false);
});

test("an answer means what can be done about it", () => {
  const no = (reason) => ({ trouble: { reason, message: "" } });
  const meanings = [[200, {}, "done"], [409, no("pass_not_open"), "refused"], [409, no("amounts_changed"), "refused"],
    [409, no("ticket_over"), "ticket"], [409, no("pin_needed"), "ticket"], [202, no("reading"), "again"], [503, no("busy"), "again"],
    [0, undefined, "again"], [401, no("no_session"), "session"], [429, no("wait"), "refused"], [403, no("origin"), "refused"],
    [500, "<html>", "again"]];
  for (const [status, body, meaning] of meanings) assert.equal(answerOf(status, body).meaning, meaning, `${status}`);
});

test("a terminal's key signs, and cannot be taken out of the browser", async () => {
  const pair = await makePair();
  const made = await signature(pair, "pozo act 1\nhttps://mesa\n/api/v1/acts\n{}");
  assert.match(await publicHalf(pair), /^04[0-9a-f]{128}$/);
  assert.match(made, /^[A-Za-z0-9_-]{86}$/);
  assert.equal(pair.privateKey.extractable, false);
  await assert.rejects(crypto.subtle.exportKey("jwk", pair.privateKey));
  assert.equal(base64url(new Uint8Array([251, 255])), "-_8");
  assert.equal(hexadecimal(new Uint8Array([0, 255])), "00ff");
});

test("both languages have every text, with the same places to fill in", () => {
  const places = (words) => [...words.matchAll(/\{\w+\}/g)].map(String).sort();
  assert.deepEqual(Object.keys(en).sort(), Object.keys(es).sort());
  for (const [key, words] of Object.entries(es)) {
    assert.ok(words.trim(), key);
    assert.deepEqual(places(en[key]), places(words), key);
  }
});

test("a text is filled in, counted, and what nobody has a word for is said as it came", () => {
  assert.equal(text("live.age", { age: "5 s" }), "Lo que se ve es de hace 5 s. Use los botones de la mesa.");
  assert.equal(filled("{a} y {b}", { a: "{b}" }), "{b} y {b}");
  assert.equal(textOr("no.such.key", "tal cual"), "tal cual");
  assert.equal(textOr("toString", "tal cual"), "tal cual");
  assert.equal(counted("no.such", 2), "no.such");
  assert.equal(troubleText({ reason: "x", rule: "R-5", message: "Cerrada." }), "Cerrada. (R-5)");
});

/** What is said while the terminal speaks English. @template T @param {() => T} say @returns {T} */
function inEnglish(say) {
  const kept = globalThis.localStorage;
  Object.defineProperty(globalThis, "localStorage", { value: { getItem: () => "en" }, configurable: true });
  try {
    return say();
  } finally {
    Object.defineProperty(globalThis, "localStorage", { value: kept, configurable: true });
  }
}

test("a refusal is said in English with its parts; where one is missing, or the reason is new, the node's own sentence stays", () => {
  const message = "La posición 3 está cerrada y no puede apostar.";
  const english = (trouble) => inEnglish(() => troubleText(trouble));

  assert.equal(english({ reason: "seat_closed", message, parts: { seat: "3" } }), "Seat 3 is closed and cannot bet.");
  assert.equal(english({ reason: "seat_closed", message }), message);
  assert.equal(english({ reason: "of_tomorrow", message, parts: { seat: "3" } }), message);
  assert.equal(english({ reason: "toString", message }), message);
  assert.equal(english({ reason: "not_now", message: "falta un sorteo del pase" }), "a draw of the pass is still to come");
});

test("a refusal is read in the language of the terminal", () => {
  const trouble = { reason: "draw_due", rule: "R-29", where: "table", message: "Falta el sorteo de rojo en este pase." };
  assert.equal(inEnglish(() => troubleText(trouble)), "The draw of this pass is still to come. Wait for it. (R-29)");
  assert.equal(troubleText(trouble), "Falta el sorteo de rojo en este pase. (R-29)");
});

test("an alarm is read in the language of the terminal, with its reason; an earlier node's has no name and stays", () => {
  const sentence = "Mesa M1, posición 3: cerrada (aceptor sin respuesta).";
  const alarm = { where: "M1/3", rule: "R-6", sentence, name: "seat_closed", parts: { table: "M1", seat: "3", why: "aceptor sin respuesta" } };
  const typed = { ...alarm, parts: { ...alarm.parts, why: "se cayó un vaso" } };

  assert.equal(alarmText(alarm), sentence);
  assert.equal(inEnglish(() => alarmText(alarm)), "Table M1, seat 3: closed (the acceptor does not answer).");
  assert.equal(inEnglish(() => alarmText(typed)), "Table M1, seat 3: closed (se cayó un vaso).");
  assert.equal(inEnglish(() => alarmText({ where: "M1/3", rule: "R-6", sentence })), sentence);
  assert.equal(inEnglish(() => alarmText({ ...alarm, parts: { table: "M1" } })), sentence);
});

test("why a seat is closed is read in English where the node or a button said it, and as typed where a person did", () => {
  const english = (reason) => inEnglish(() => reasonText(reason));

  assert.equal(reasonText("luz"), "luz");
  assert.equal(english("luz"), "its lamp");
  assert.equal(english("Aparato en mal estado"), "Unit out of order");
  assert.equal(english("el módulo no responde: revise su alimentación y su cable"), "the module does not answer: check its power and its cable");
  for (const typed of ["se cayó un vaso", "el aceptor suena raro", "toString", ""]) assert.equal(english(typed), typed);
});

test("amounts in sentences are money, in both languages, where the pots have one currency and it is plain which digits they are", () => {
  const trouble = { reason: "above_limit", message: "La apuesta de la posición 5 sería 25000, sobre el máximo de 20000.", parts: { seat: "5", bet: "25000", limit: "20000" } };
  const small = { reason: "above_limit", message: "La apuesta de la posición 5 sería 5, sobre el máximo de 4.", parts: { seat: "5", bet: "5", limit: "4" } };
  const same = { reason: "not_enough", message: "En base hay 500; no alcanza para 500.", parts: { part: "base", held: "500", amount: "500" } };
  const huge = { reason: "not_enough", message: "En base hay 9; no alcanza para 99999999999999999999.", parts: { part: "base", held: "9", amount: "99999999999999999999" } };
  const owed = { where: "M1/3", rule: "R-4", sentence: "Mesa M1, posición 3: devolver 15000 al jugador.", name: "chips_owed", parts: { table: "M1", seat: "3", amount: "15000" } };

  speakOfMoney([]);
  assert.equal(troubleText(trouble), trouble.message);
  speakOfMoney([{ symbol: "$", decimals: 0 }, { symbol: "$" }]);
  assert.equal(troubleText(trouble), "La apuesta de la posición 5 sería $\u00a025.000, sobre el máximo de $\u00a020.000.");
  assert.equal(inEnglish(() => troubleText(trouble)), "The bet of seat 5 would be $\u00a025.000, above the most of $\u00a020.000.");
  assert.equal(troubleText(small), "La apuesta de la posición 5 sería 5, sobre el máximo de $\u00a04.", "nobody knows which 5");
  assert.equal(troubleText(same), "En base hay $\u00a0500; no alcanza para $\u00a0500.");
  assert.equal(alarmText(owed), "Mesa M1, posición 3: devolver $\u00a015.000 al jugador.");
  assert.equal(inEnglish(() => alarmText(owed)), "Table M1, seat 3: hand $\u00a015.000 back to the player.");
  speakOfMoney([{ symbol: "Bs", decimals: 2 }]);
  assert.equal(inEnglish(() => alarmText(owed)), "Table M1, seat 3: hand Bs\u00a0150,00 back to the player.");
  speakOfMoney([{ symbol: "Bs", decimals: 2 }, { symbol: "$" }]);
  assert.equal(inEnglish(() => alarmText(owed)), "Table M1, seat 3: hand 15000 back to the player.");
  speakOfMoney([{ symbol: "$" }]);
  assert.equal(troubleText(huge), "En base hay $\u00a09; no alcanza para 99999999999999999999.", "the node's digits");
  speakOfMoney([]);
});

test("a fault that brings a number is said with it, and one that nobody knows by its name", () => {
  assert.equal(faultText("chip_jam"), "una ficha está atascada");
  assert.equal(faultText("self_check_34"), "el aparato se revisó y dio el código 34");
  assert.equal(faultText("of_tomorrow_2"), "of_tomorrow_2");
});

test("a second tap at the place of the first counts on the same button and nowhere else", () => {
  const taps = new Taps();
  const pays = {}, digit = {};
  assert.equal(taps.isEcho({ x: 100, y: 100, at: 0, on: pays }, 40), false);
  for (const at of [30, 200, 400]) assert.equal(taps.isEcho({ x: 110, y: 90, at, on: digit }, 40), true);
  assert.equal(taps.isEcho({ x: 200, y: 100, at: 401, on: digit }, 40), false);
  assert.equal(taps.isEcho({ x: 200, y: 100, at: 480, on: digit }, 40), false, "55 is typed in a hurry");
  assert.equal(taps.isEcho({ x: 200, y: 100, at: 480 + 700, on: pays }, 40), false);
});
