// The felt to play at without a page: what a player is told, where seats lie for him, what can be broken.

import assert from "node:assert/strict";
import { test } from "node:test";

import { mischief, phaseOf, told, turned } from "../../../controller/play/pages/play/told.js";
import { places } from "../../../controller/web/pages/croupier/halfmoon.js";

const SEAT = { seat: 3, lamp: "dark", unit: 1, line: "mesa", keys: [1, 2, 5, 10], can_break: true };
const TABLE = {
  table: "TX-01", phase: "open", day: "2026-11-19", croupier: "demo", number: 7, prizes: [], community: [],
  lines: [{ name: "mesa", kind: "rtu", plugged: true }], seats: [SEAT],
};
const at = (table, seat) => told({ ...TABLE, ...table }, { ...SEAT, ...seat });

test("R-6: only a steady lamp is a bet, whatever was pressed", () => {
  assert.equal(at({}, { credits: 5 }).key, "tell.bet");
  assert.equal(at({}, { credits: 5, locked: true }).key, "tell.opening");
  assert.equal(at({}, { lamp: "blinking" }).key, "tell.waits");
  assert.equal(at({}, { bet: 2000, lamp: "dark" }).key, "tell.waits");
  assert.equal(at({}, { bet: 2000, lamp: "lit" }).key, "tell.lit");
});

test("who has no credits is told who sells them, and a slot takes chips", () => {
  assert.equal(at({}, {}).key, "tell.no_credits.demo");
  assert.equal(at({ croupier: "person" }, {}).key, "tell.no_credits");
  assert.equal(at({}, { promo: 2 }).key, "tell.bet");
  assert.equal(at({}, { gate: false }).key, "tell.chip");
});

test("after the lock: no bet, nothing, or a hand that wins", () => {
  assert.equal(at({ phase: "sealed" }, {}).key, "tell.sealed.out");
  assert.equal(at({ phase: "sealed" }, { valid: true }).key, "tell.sealed.in");
  assert.deepEqual(at({ phase: "sealed" }, { valid: true, hand: "full" }), { key: "tell.sealed.won", hand: "full" });
});

test("a prize of his own comes before everything; another seat's is not his", () => {
  const prize = { award: "TX-01/7/1/1", seat: 3, prize: "full", amount: 100_000, confirmed: false };
  assert.deepEqual(at({ prizes: [prize] }, {}), { key: "tell.won.unconfirmed", hand: "full", amount: 100_000 });
  assert.equal(at({ prizes: [prize, { ...prize, confirmed: true }] }, {}).key, "tell.won.confirmed");
  assert.equal(at({ prizes: [{ ...prize, waits: true }] }, {}).key, "tell.won.waits");
  assert.equal(at({ prizes: [{ ...prize, seat: 4 }] }, { credits: 1 }).key, "tell.bet");
});

test("what is wrong with the seat is said before what could be bet", () => {
  assert.equal(at({ phase: "" }, {}).key, "tell.node");
  assert.equal(at({}, { trouble: "off" }).key, "tell.off");
  assert.equal(at({}, { trouble: "loose" }).key, "tell.loose");
  assert.equal(at({ lines: [{ name: "mesa", kind: "rtu", plugged: false }] }, {}).key, "tell.loose");
  assert.deepEqual(at({}, { closed: "luz" }), { key: "tell.closed", why: "luz" });
});

test("a table without a day says so, and one whose node is silent says that", () => {
  assert.equal(phaseOf({ ...TABLE, day: "", phase: "between" }), "none");
  assert.equal(phaseOf({ ...TABLE, phase: "" }), "");
  assert.equal(phaseOf(TABLE), "open");
});

test("a player has seat 1 at his left and sits at the round side", () => {
  const seats = turned(places(6));
  assert.deepEqual(seats.map((one) => one.seat), [1, 2, 3, 4, 5, 6]);
  assert.ok(seats.every((one, n) => n === 0 || one.x > (seats[n - 1]?.x ?? 1)), "from left to right");
  assert.ok((seats[2]?.y ?? 0) > (seats[0]?.y ?? 1), "the middle is nearest to him");
});

test("what is whole can be broken, what is broken mended, in the words of the desk", () => {
  const keys = (table, seat) => mischief({ ...TABLE, ...table }, { ...SEAT, ...seat }).map((one) => one.does);
  assert.deepEqual(keys({}, {}), ["seat 3 lamp open", "unit mesa/1 unplug", "unit mesa/1 off", "line mesa unplug"]);
  const broken = { lines: [{ name: "mesa", kind: "rtu", plugged: false }] };
  assert.deepEqual(keys(broken, { broken: true, trouble: "loose" }), ["seat 3 lamp ok", "unit mesa/1 plug", "unit mesa/1 off", "line mesa plug"]);
  assert.equal(keys({ lines: [{ name: "mesa", kind: "tcp", plugged: true }] }, {}).includes("unit mesa/1 unplug"), false, "it has no wires of its own");
  assert.equal(keys({}, { trouble: "off" }).includes("unit mesa/1 on"), true);
});
