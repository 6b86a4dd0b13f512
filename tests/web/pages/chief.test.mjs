/** What waits for a chief, what a table shows at a glance, and how he asks. */

import assert from "node:assert/strict";
import { test } from "node:test";

import * as acts from "../../../controller/web/pages/chief/chief_acts.js";
import { glance } from "../../../controller/web/pages/chief/glance.js";
import { waits } from "../../../controller/web/pages/chief/waits.js";

const MINUTE = 60_000;
const NOW = 100 * MINUTE;
const table = (name, more) => ({ table: name, phase: "sealed", number: 9, ...more });
const award = (name, more) => ({ award: `${name}/9/1/1`, table: name, seat: 3, prize: "full", amount: 500_000, since: NOW - 5 * MINUTE, due: NOW + 25 * MINUTE, order: 1, ...more });
const nothing = { awards: [], tables: [], seatsOf: () => [], alarms: [], plans: [], pots: [], disputes: [], shown: [], day: "2026-11-19", now: NOW };

test("nothing waits where all is as it should be", () => {
  assert.deepEqual(waits({ ...nothing, tables: [table("M1")], seatsOf: () => [{ seat: 1, bet: 1000 }], shown: [{ sign: "sala" }] }), []);
});

test("R-21 what is late comes first, then what a chief must sign, the oldest first, then what only goes on", () => {
  const found = waits({
    ...nothing,
    tables: [table("M1"), table("M2")],
    awards: [
      award("M1", { since: NOW - 2 * MINUTE }),
      award("M2", { since: NOW - 9 * MINUTE }),
      award("M3", { confirmed: true }),
      award("M4", { waits: true, amount: 0 }),
      award("M5", { overdue: true, since: NOW - 31 * MINUTE }),
    ],
    plans: [{ pot: "p", resolution: "r" }],
  });
  assert.deepEqual(found.map((one) => [one.weight, one.way.name]), [
    ["grave", "M5/9/1/1"], ["due", "M2/9/1/1"], ["due", "M1/9/1/1"], ["known", "M3/9/1/1"], ["known", "M4/9/1/1"], ["known", "p"],
  ]);
});

test("R-36 a void that nobody signed waits, and leads to its table", () => {
  const [wait] = waits({ ...nothing, tables: [table("M1")], seatsOf: () => [{ seat: 4, unsigned: 3000 }, { seat: 5 }] });
  assert.deepEqual([wait.kind, wait.weight, wait.way, wait.seat.seat], ["unsigned", "due", { to: "table", name: "M1" }, 4]);
});

test("each alarm leads to the place where something can be done", () => {
  const alarms = [
    { where: "M1/9/1", rule: "R-21", sentence: "vencido" },
    { where: "M1/3", rule: "R-6", sentence: "lámpara" },
    { where: "norte", rule: "R-28", sentence: "sin enlace" },
  ];
  const found = waits({ ...nothing, tables: [table("M1")], awards: [award("M1")], alarms });
  const ways = Object.fromEntries(found.filter((one) => one.kind === "alarm").map((one) => [one.words, one.way]));
  assert.deepEqual(ways, {
    vencido: { to: "award", name: "M1/9/1/1" }, "lámpara": { to: "table", name: "M1" }, "sin enlace": { to: "none", name: "" },
  });
});

test("R-35 a late winner of a far pot waits for its owner", () => {
  const found = waits({ ...nothing, pots: [{ pot: "p", owner: "norte", corrections: ["M1/9/1"] }, { pot: "q" }] });
  assert.deepEqual(found.map((one) => [one.kind, one.weight, one.words, one.owner]), [["asked", "known", "M1/9/1", "norte"]]);
});

test("no day, a dispute and a sign that shows something else wait for him", () => {
  const found = waits({ ...nothing, day: "", disputes: [{ neighbour: "n", number: 1, why: "x" }], shown: [{ sign: "sala", wrong: { p: 9 } }, { sign: "bar", silent: true }, { sign: "hall", unseen: ["age"] }] });
  assert.deepEqual(found.map((one) => one.kind).sort(), ["day", "dispute", "sign", "sign", "sign"]);
  assert.ok(found.every((one) => one.weight === "due"));
});

test("a table is quiet when normal and says seat by seat what is not", () => {
  const seats = [{ seat: 1, bet: 1000, lamp: "lit", light: "steady" }, { seat: 2, health: "down" }, { seat: 3, owed: 1000 }];
  assert.deepEqual(glance(table("M1", { phase: "open" }), [seats[0]], 0), { table: "M1", phase: "open", pass: 9, bets: 1, pays: 0, matters: [], isTraining: false, isWrong: false });
  const shown = glance(table("M1", { phase: "open", training: true }), seats, 2);
  assert.deepEqual(shown.matters, [{ seat: 2, matter: "silent" }, { seat: 3, matter: "owed" }]);
  assert.deepEqual([shown.isWrong, shown.isTraining, shown.pays], [true, true, 2]);
});

test("what a chief asks is named as the node names it", () => {
  assert.deepEqual(acts.confirmAward("M1/9/1/1"), { ask: { ask: "confirm_award", award: "M1/9/1/1" } });
  assert.deepEqual(acts.rejectClaim("M1/9/1", "falsa"), { ask: { ask: "reject_claim", claim: "M1/9/1", reason: "falsa" } });
  assert.deepEqual(acts.openDay("2026-11-19", "ab"), { do: "open_day", day: "2026-11-19", nonce: "ab" });
  assert.deepEqual(acts.clearFaults("M1", 2), { do: "clear_faults", table: "M1", seat: 2 });
});
