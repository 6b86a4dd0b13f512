/** What stands on a sign at an instant: never above what is committed, never frozen, nothing withdrawn in silence. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { isWithin } from "../../../controller/web/pages/sign/hours.js";
import { bets, paysText, prizeLine } from "../../../controller/web/pages/sign/lines.js";
import { ageOf, freshness } from "../../../controller/web/pages/sign/news.js";
import { CELEBRATED, Prizes, WITHDRAWN } from "../../../controller/web/pages/sign/prizes.js";
import { Rise } from "../../../controller/web/pages/sign/rise.js";
import { contrast, parts } from "../../../controller/web/pages/sign/seen.js";
import { shiftAt } from "../../../controller/web/pages/sign/shift.js";
import { TURN, Turns } from "../../../controller/web/pages/sign/turns.js";
import { stripLines } from "../../../controller/web/pages/sign/glass.js";

/** Numbers by chance that are the same each time. */
function* chance(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

test("R-31 a rise is never above what is committed, and there within two seconds, whatever rises behind it", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const draw = chance(seed);
    const next = () => draw.next().value;
    const rise = new Rise();
    let amount = 1_000_000;
    let now = 0;
    const heard = [];
    for (let step = 0; step < 60; step++) {
      amount = next() < 0.1 ? Math.floor(amount * next()) : amount + Math.floor(next() * 5000);
      if (heard.length && amount < heard.at(-1).amount) heard.length = 0;
      rise.hear(amount, now);
      heard.push({ amount, now });
      let before = rise.at(now);
      for (let look = 0; look < 4; look++) {
        now += next() * 900;
        const shown = rise.at(now);
        assert.ok(Number.isInteger(shown) && shown <= amount, `${shown} of ${amount}`);
        assert.ok(shown >= before, "it goes up");
        before = shown;
        for (const one of heard) if (now - one.now >= 2000) assert.ok(shown >= one.amount, `${shown} is still below ${one.amount}`);
      }
    }
    assert.equal(rise.at(now + 2000), amount);
    assert.equal(rise.isMoving(now + 2000), false);
  }
});

test("to an amount that cannot be nothing climbs, and from it the next true one stands at once", () => {
  const rise = new Rise();
  rise.hear(5_000_000, 0);
  rise.hear(JSON.parse("9223372036854775807"), 10);
  assert.equal(Number.isSafeInteger(rise.at(10)), false);
  assert.equal(rise.isMoving(20), false);
  rise.hear(5_100_000, 30);
  assert.equal(rise.at(30), 5_100_000);
});

test("a pot or a prize with an amount that cannot be says so in its lines", () => {
  const absurd = JSON.parse("9223372036854775807");
  const pot = { pot: "p", title: "P", symbol: "$", main: absurd, least: 1000, most: absurd, added: absurd };
  const prize = { award: { award: "a", table: "M1", seat: 3, prize: "full", amount: absurd }, standing: "verifying", isCorrected: false, since: 0 };
  assert.equal(bets(pot), "Apuesta de $\u00a01.000 a monto imposible");
  assert.equal(prizeLine(prize, pot), "Mesa\u00a0M1\u00a0·\u00a0posición\u00a03\u00a0· Full\u00a0· monto imposible\u00a0· por verificar");
});

test("R-31 told again beside what else happens, a rise is there within two seconds all the same", () => {
  const rise = new Rise();
  rise.hear(1_000_000, 0);
  for (let now = 100; now <= 2000; now += 100) rise.hear(1_500_000, now);
  assert.equal(rise.at(2000), 1_500_000);
  assert.equal(rise.isMoving(2000), false);
});

test("R-31 a fall is shown at once", () => {
  const rise = new Rise();
  assert.equal(rise.at(0), null);
  rise.hear(5_000_000, 0);
  assert.equal(rise.at(0), 5_000_000, "the first is no rise");
  rise.hear(5_100_000, 10);
  rise.hear(500_000, 500);
  assert.equal(rise.at(500), 500_000);
  assert.equal(rise.isMoving(500), false);
});

const award = (more) => ({ award: "TX-01/7/1/1", table: "TX-01", seat: 3, prize: "full", amount: 500_000, pot: "p", ...more });

test("R-21 a prize is registered, confirmed, celebrated for a while, and gone when it is paid", () => {
  const prizes = new Prizes();
  prizes.look([award()], 0, true);
  assert.equal(prizes.shown(0)[0].standing, "verifying");
  assert.equal(prizes.celebrated(0), undefined);
  prizes.look([award({ confirmed: true })], 1000, true);
  assert.equal(prizes.celebrated(1000).award.amount, 500_000);
  prizes.look([award({ confirmed: true })], 5000, true);
  assert.ok(prizes.celebrated(999 + CELEBRATED), "once, from when it was confirmed");
  assert.equal(prizes.celebrated(1000 + CELEBRATED), undefined);
  prizes.look([], 60_000, true);
  assert.deepEqual(prizes.shown(60_000), []);
});

test("R-34 what goes without having been confirmed is withdrawn in words, for a while", () => {
  const prizes = new Prizes();
  prizes.look([award(), award({ award: "TX-01/7/1/2", order: 2 })], 0, true);
  prizes.look([award({ award: "TX-01/7/1/2", order: 2, amount: 250_000 })], 100, true);
  assert.deepEqual(prizes.shown(100).map((one) => [one.standing, one.isCorrected]), [["verifying", true], ["withdrawn", false]]);
  assert.deepEqual(prizes.shown(100 + WITHDRAWN).map((one) => one.standing), ["verifying"]);
});

test("nobody says how a prize ended that went while nothing was heard, and nothing old is celebrated", () => {
  const prizes = new Prizes();
  prizes.look([award({ confirmed: true })], 0, false);
  assert.equal(prizes.celebrated(0), undefined, "it was confirmed before anybody looked");
  prizes.look([award({ award: "a/1/1/1" })], 10, true);
  prizes.look([], 20, false);
  assert.deepEqual(prizes.shown(20), []);
  prizes.look([award({ award: "b/1/1/1" })], 30, true);
  prizes.look([award({ award: "b/1/1/1", confirmed: true })], 90_000, false);
  assert.equal(prizes.celebrated(90_000), undefined);
});

test("R-28 the amount that a far owner says at last is no correction", () => {
  const prizes = new Prizes();
  prizes.look([award({ waits: true, amount: 0 })], 0, true);
  assert.equal(prizes.shown(0)[0].standing, "waits");
  prizes.look([award({ amount: 700_000 })], 10, true);
  assert.deepEqual([prizes.shown(10)[0].standing, prizes.shown(10)[0].isCorrected], ["verifying", false]);
});

test("an amount has its age after ten seconds, and words in its place after a minute", () => {
  assert.deepEqual([0, 9_999, 10_000, 59_999, 60_000].map(freshness), ["fresh", "fresh", "aged", "aged", "too_old"]);
  assert.equal(ageOf({}, 5_000_000, 1200), 1200, "the node's own pot is as old as the node's last word");
  assert.equal(ageOf({ owner: "norte", told: 4_985_000 }, 5_000_000, 0), 15_000);
  assert.equal(freshness(ageOf({ owner: "norte" }, 5_000_000, 0)), "too_old");
});

test("hours of a day, also past midnight", () => {
  const at = (hour, minute = 0) => new Date(2026, 10, 19, hour, minute);
  assert.deepEqual([22, 23, 3, 7, 8].map((hour) => isWithin("23:00-08:00", at(hour))), [false, true, true, true, false]);
  assert.deepEqual([isWithin("03:00-09:00", at(9)), isWithin("03:00-09:00", at(8, 59)), isWithin("", at(8)), isWithin(undefined, at(8))], [false, true, false, false]);
});

test("the picture wanders, a little, and comes back", () => {
  const places = new Set(Array.from({ length: 500 }, (_, minute) => JSON.stringify(shiftAt(minute * 60_000))));
  assert.ok(places.size > 10);
  for (const place of places) assert.ok(Object.values(JSON.parse(place)).every((way) => Math.abs(way) <= 2));
});

test("R-11 what pays what stands there with its cap, and what may be bet", () => {
  const pot = { pot: "p", title: "Estelar", symbol: "$", main: 1, least: 1000, most: 5000, paytable: {} };
  assert.equal(paysText("10 %, máx. 5.000 veces", pot), "10 %, máx. 5.000 veces");
  assert.equal(paysText("25000 por unidad", pot), "$\u00a025.000 por unidad");
  assert.equal(paysText("50 x", pot), "50 veces la apuesta");
  assert.equal(paysText("100 %", pot), "100 %");
  assert.equal(bets(pot), "Apuesta de $\u00a01.000 a $\u00a05.000");
  assert.equal(bets({ ...pot, most: 1000 }), "Apuesta $\u00a01.000");
});

test("prizes have the strip first, in paying order; with several pots each line names its own", () => {
  const pot = (name) => ({ pot: name, title: name, symbol: "$", main: 1, least: 1, most: 2, paytable: { full: "100 x" } });
  const shown = (name) => ({ pot: pot(name), amount: 1, age: 0, freshness: "fresh", rises: false });
  const prize = { award: award({ pot: "a" }), standing: "verifying", isCorrected: false, since: 0 };
  const { prizes, rest } = stripLines([shown("a"), shown("b")], [prize]);
  assert.equal(prizes[0], "Mesa\u00a0TX-01\u00a0·\u00a0posición\u00a03\u00a0· Full\u00a0· $\u00a0500.000\u00a0· por verificar");
  assert.equal(prizes[0], prizeLine(prize, pot("a")));
  assert.ok(rest.includes("b: Full 100 veces la apuesta") && rest.includes("a: Apuesta de $\u00a01 a $\u00a02"));
});

test("R-31 a prize is seen at once, and again before each line of the board", () => {
  const turns = new Turns();
  const line = (prizes, now) => turns.at(prizes, ["r1", "r2", "r3"], now).line;
  assert.deepEqual([0, TURN, 2 * TURN, 3 * TURN].map((now) => line([], now)), ["r1", "r2", "r3", "r1"]);
  const from = 3.5 * TURN;
  assert.equal(line(["p1", "p2"], from), "p1", "in the middle of a turn");
  const seen = Array.from({ length: 9 }, (_, turn) => line(["p1", "p2"], from + turn * TURN));
  assert.deepEqual(seen.map((one) => one[0]), ["p", "p", "r", "p", "p", "r", "p", "p", "r"]);
  assert.equal(new Set(seen.filter((one) => one[0] === "r")).size, 3, "all of the board is seen");
  assert.equal(line(["p1 confirmado", "p2"], from + 9.2 * TURN), "p1 confirmado");
  assert.deepEqual(turns.at([], [], 0), { line: "", prize: -1 });
});

test("contrast is what WCAG says", () => {
  assert.equal(contrast(parts("rgb(255, 255, 255)"), parts("rgb(0, 0, 0)")).toFixed(1), "21.0");
  assert.equal(contrast(parts("rgb(118, 118, 118)"), parts("rgb(255, 255, 255)")).toFixed(2), "4.54");
  assert.equal(parts("color(srgb 1 1 1)"), null, "what cannot be read is no colour");
  assert.equal(parts("rgba(0, 0, 0, 0.5)").opacity, 0.5);
});
