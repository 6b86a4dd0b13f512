// The croupier's screen without a page: cards, drafts, seats, states, awards, previews, and what is asked.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as acts from "../../../controller/web/pages/croupier/acts.js";
import { awardState, inPayingOrder } from "../../../controller/web/pages/croupier/award_state.js";
import { DECK, ROYALS, STRAIGHT_FLUSHES, indexOf, ladder, ownOf } from "../../../controller/web/pages/croupier/deck.js";
import { acting, asHands, claiming, correcting, handOf, holding, isEmpty, isReady, newDraft, readDraft, tapping, usedElsewhere, without } from "../../../controller/web/pages/croupier/draft.js";
import { communityCount, needsCards, ownCount } from "../../../controller/web/pages/croupier/games.js";
import { places } from "../../../controller/web/pages/croupier/halfmoon.js";
import { Drafts } from "../../../controller/web/pages/croupier/kept.js";
import { Noting, othersAt } from "../../../controller/web/pages/croupier/noting.js";
import { previewLines } from "../../../controller/web/pages/croupier/preview_lines.js";
import { seatState, servicesAt } from "../../../controller/web/pages/croupier/seat_state.js";
import { passToEnter, shutSeats, tableState } from "../../../controller/web/pages/croupier/table_state.js";

const ROYAL = ["As", "Ks", "Qs", "Js", "Ts"];
const draftOf = (modality = "draw") => newDraft("M1", 9, modality);
const tapped = (draft, seat, ...cards) => cards.reduce((now, card) => tapping(now, seat, card), draft);

class Kept extends Map {
  getItem = (key) => this.get(key) ?? null;
  setItem = (key, value) => this.set(key, value);
  removeItem = (key) => this.delete(key);
  key = (at) => [...this.keys()][at] ?? null;
  get length() {
    return this.size;
  }
}

test("the deck is 52 cards, thirteen by four, each once", () => {
  assert.deepEqual(DECK.map((suit) => suit.length), [13, 13, 13, 13]);
  assert.equal(new Set(DECK.flat()).size, 52);
  assert.equal(indexOf("Th"), "10");
});

test("R-10: four Escaleras Reales, 36 Escaleras de Color from king down to five, and no two the same five", () => {
  assert.deepEqual(ROYALS[0].cards, ROYAL);
  assert.equal(STRAIGHT_FLUSHES.flat().length, 36);
  assert.deepEqual(ladder("5", "h"), ["5h", "4h", "3h", "2h", "Ah"]);
  assert.equal(new Set([...ROYALS, ...STRAIGHT_FLUSHES.flat()].map(({ cards }) => [...cards].sort().join())).size, 40);
  assert.throws(() => ladder("4", "h"));
});

test("R-8: what is a player's own of five cards, when some of them lie on the table", () => {
  assert.deepEqual(ownOf(ROYAL, ["Ks", "Js"]), ["As", "Qs", "Ts"]);
  assert.equal(ownOf(ROYAL, ["Ks", "2h"]), null);
  assert.deepEqual(["go", "texas_plus", "draw"].map((game) => [communityCount(game), ownCount(game)]), [[2, 3], [3, 2], [0, 5]]);
  assert.deepEqual(["full", "poker"].map(needsCards), [false, true]);
});

test("a Full is one tap, and the same tap takes it away", () => {
  const draft = claiming(draftOf(), 3, "full");
  assert.deepEqual(asHands(draft), [{ seat: 3, claimed: "full" }]);
  assert.equal(isReady(draft), true);
  assert.equal(isEmpty(claiming(draft, 3, "full")), true);
  assert.deepEqual(asHands(claiming(draft, 3, "color")), [{ seat: 3, claimed: "color" }]);
});

test("five taps on the deck are a hand; four are not ready, a sixth does nothing, a second tap takes a card back", () => {
  const four = tapped(draftOf(), 1, ...ROYAL.slice(0, 4));
  assert.equal(isReady(four), false);
  const five = tapping(four, 1, "Ts");
  assert.deepEqual(asHands(five), [{ seat: 1, cards: ROYAL }]);
  assert.equal(isReady(five), true);
  assert.equal(tapping(five, 1, "2h"), five);
  assert.deepEqual(handOf(tapping(five, 1, "As"), 1).cards, ROYAL.slice(1));
});

test("R-32: a card of another hand cannot be tapped, and is known as used", () => {
  const draft = tapped(draftOf(), 1, ...ROYAL);
  assert.equal(tapping(draft, 2, "As"), draft);
  assert.deepEqual([...usedElsewhere(draft, 2)], ROYAL);
  assert.deepEqual([...usedElsewhere(draft, 1)], []);
});

test("cards decide: a category is forgotten with the first card, cards with a category", () => {
  const draft = tapping(claiming(draftOf(), 4, "full"), 4, "As");
  assert.deepEqual(asHands(draft), [{ seat: 4, cards: ["As"] }]);
  assert.deepEqual(asHands(claiming(draft, 4, "color")), [{ seat: 4, claimed: "color" }]);
});

test("community cards come first, once for all hands of the pass", () => {
  const draft = tapped(draftOf("texas_plus"), 2, "Ks", "Qs", "Js", "As", "Ts");
  assert.deepEqual(draft.community, ["Ks", "Qs", "Js"]);
  assert.deepEqual(handOf(draft, 2).cards, ["As", "Ts"]);
  assert.equal(isReady(draft), true);
  const second = tapped(draft, 5, "9s", "8s");
  assert.deepEqual(second.community, draft.community);
  assert.deepEqual(handOf(second, 5).cards, ["9s", "8s"]);
  assert.equal(isReady(tapping(second, 5, "Ks")), false, "two of three community cards");
});

test("in a game with community cards a category alone is ready without them", () => {
  assert.equal(isReady(claiming(draftOf("go"), 2, "full")), true);
  assert.equal(isReady(tapping(claiming(draftOf("go"), 2, "full"), 0, "2h")), false);
});

test("what a player did stands beside his hand, and alone it is no winner", () => {
  const draft = acting(draftOf(), 6, "folded");
  assert.equal(isReady(draft), false);
  assert.deepEqual(asHands(claiming(draft, 6, "full")), [{ seat: 6, acts: ["folded"], claimed: "full" }]);
  assert.equal(isEmpty(acting(draft, 6, "folded")), true);
});

test("hands stand in the order of their seats, and a change leaves the draft before as it was", () => {
  const one = claiming(draftOf(), 6, "color");
  const two = claiming(one, 3, "full");
  assert.deepEqual(two.hands.map((hand) => hand.seat), [3, 6]);
  assert.deepEqual(one.hands.map((hand) => hand.seat), [6]);
  assert.deepEqual(without(two, 6).hands.map((hand) => hand.seat), [3]);
});

test("a draft survives in the browser by table and pass; one that says nothing is not kept, and nonsense is none", () => {
  const storage = new Kept();
  const drafts = new Drafts("M1", storage);
  const draft = holding(claiming(draftOf(), 3, "full"), 1, ROYAL);
  drafts.keep(draft);
  assert.deepEqual(new Drafts("M1", storage).begun(9), draft);
  assert.equal(new Drafts("M2", storage).begun(9), null);
  drafts.keep(without(without(draft, 1), 3));
  assert.equal(storage.size, 0);
  for (const wrong of ["", "{", "5", "null", '{"table":"M1"}', '{"table":"M1","pass":1,"modality":"","corrects":true,"community":[],"hands":[{"seat":"1"}]}']) {
    assert.equal(readDraft(wrong), null, wrong);
  }
});

test("drafts of passes that ended are left over, newest first, and only so many are kept", () => {
  const storage = new Kept();
  const drafts = new Drafts("M1", storage);
  for (let pass = 1; pass <= 12; pass++) drafts.keep({ ...claiming(draftOf(), 1, "full"), pass });
  assert.equal(storage.size, 8);
  assert.deepEqual(drafts.left(11).map((draft) => draft.pass), [10, 9, 8, 7, 6, 5]);
  drafts.drop(10);
  assert.deepEqual(drafts.left(11).map((draft) => draft.pass), [9, 8, 7, 6, 5]);
});

test("R-7: seat 1 lies at the croupier's right, the last at his left, and no two seats touch", () => {
  for (const count of [6, 7]) {
    const all = places(count);
    assert.deepEqual(all.map(({ seat }) => seat), Array.from({ length: count }, (_, at) => at + 1));
    assert.ok(all[0].x > 0.85 && all.at(-1).x < 0.15);
    for (const [at, one] of all.entries()) {
      for (const other of all.slice(at + 1)) assert.ok(Math.hypot((one.x - other.x) * 1.27, one.y - other.y) > 0.2, `${one.seat} and ${other.seat}`);
      assert.ok(Math.abs(one.x + all.at(-1 - at).x - 1) < 0.01, "as on the other side");
    }
  }
});

const table = (more = {}) => ({ table: "M1", phase: "open", number: 9, ...more });
const known = (more = {}) => ({ standing: "live", node: { node: "n", day: "2026-11-19" }, table: table(), ...more });

test("every state has its name and the one next thing; the gravest is said first", () => {
  const told = (more) => {
    const { name, next } = tableState(known(more));
    return [name, next];
  };
  assert.deepEqual(told({ table: table({ phase: "between" }) }), ["between", "open"]);
  assert.deepEqual(told({}), ["open", "lock"]);
  assert.deepEqual(told({ table: table({ phase: "locking", unproven: [3] }) }), ["locking", "none"]);
  assert.deepEqual(told({ table: table({ phase: "sealed" }) }), ["sealed", "next"]);
  assert.deepEqual(told({ table: table({ phase: "sealed" }), isDraftReady: true }), ["sealed", "register"]);
  assert.deepEqual(told({ node: { node: "n", day: "" }, table: table({ phase: "between" }) }), ["no_day", "none"]);
  assert.deepEqual(told({ node: { node: "n", day: "", stopping: true } }), ["stopping", "none"]);
  assert.deepEqual(told({ node: { node: "n", day: "d", stopping: true, out_of_service: true } }), ["out_of_service", "none"]);
  assert.deepEqual(told({ table: undefined }), ["no_table", "none"]);
  assert.deepEqual(told({ standing: "starting" }), ["starting", "none"]);
  assert.deepEqual(tableState(known({ table: table({ phase: "locking", unproven: [3, 5] }) })).unproven, [3, 5]);
});

test("R-28: where the owner of the pot is not heard for too long no pass opens, and one that is open goes on", () => {
  const pot = { pot: "p", title: "", symbol: "$", main: 1, owner: "NORTE", closes: 500 };
  assert.equal(tableState(known({ pot, now: 500, table: table({ phase: "between" }) })).name, "owner_silent");
  assert.equal(tableState(known({ pot, now: 499, table: table({ phase: "between" }) })).name, "between");
  assert.equal(tableState(known({ pot: { ...pot, up: true }, now: 500, table: table({ phase: "between" }) })).name, "between");
  assert.equal(tableState(known({ pot, now: 500 })).name, "open");
});

test("R-35: winners are entered of the sealed pass, or of the one that ended last", () => {
  assert.equal(passToEnter(table({ phase: "sealed", number: 9, last_sealed: 9 })), 9);
  assert.equal(passToEnter(table({ number: 10, last_sealed: 9 })), 9);
  assert.equal(passToEnter(table({ number: 1 })), 0);
  assert.equal(passToEnter(undefined), 0);
});

const seat = (more = {}) => ({ seat: 3, light: "off", lamp: "dark", health: "up", ...more });

test("R-6: only a lamp that is seen lit is a bet's lamp; what should be lit and is not, waits", () => {
  const lamp = (more) => seatState(seat(more), table()).lamp;
  assert.equal(lamp({ lamp: "lit", light: "steady" }), "lit");
  assert.equal(lamp({ light: "steady" }), "waits");
  assert.equal(lamp({ lamp: "fault" }), "fault");
  assert.equal(lamp({ light: "fault", lamp: "lit" }), "fault");
  assert.equal(lamp({ lamp: "unknown" }), "unknown");
  assert.equal(lamp({}), "dark");
});

test("the worst that is the matter with a seat is said, with why", () => {
  const matter = (more, at = table()) => seatState(seat(more), at).matter;
  assert.equal(matter({ closed: "roto", health: "down", owed: 5 }), "closed");
  assert.equal(seatState(seat({ closed: "roto" }), table()).why, "roto");
  assert.equal(matter({ health: "down", owed: 5 }), "silent");
  assert.equal(matter({ unsigned: 5, owed: 5 }), "unsigned");
  assert.equal(matter({ owed: 5 }, table({ phase: "locking", unproven: [3] })), "owed");
  assert.equal(matter({}, table({ phase: "locking", unproven: [3] })), "unproven");
  assert.equal(matter({ faults: ["lamp_open"] }), "fault");
  assert.equal(matter({ unit_locked: true }), "locked");
  assert.equal(matter({ unit_locked: true, waits: "button" }), "locked");
  assert.equal(matter({ unit_locked: true, waits: "pass" }), "next_pass");
  assert.equal(matter({ unit_locked: true, waits: "pass", bet: 5 }), "", "its bet stands");
  assert.equal(matter({}), "");
});

test("R-32: of a sealed pass a seat without a valid bet may not win, and says why", () => {
  const sealed = table({ phase: "sealed" });
  assert.equal(seatState(seat({ why: "no_bet" }), sealed).mayNotWin, "no_bet");
  assert.equal(seatState(seat({ why: "lamp", bet: 5 }), sealed).mayNotWin, "lamp");
  assert.equal(seatState(seat({ valid: true, bet: 5 }), sealed).mayNotWin, "");
  assert.equal(seatState(seat({}), table()).mayNotWin, "");
});

test("what can be done at a seat follows from what it has and where the pass is", () => {
  assert.deepEqual(servicesAt(seat({}), table({ credit: 500 })), ["buy", "close_seat"]);
  assert.deepEqual(servicesAt(seat({ bet: 1, credits: 2, owed: 3 }), table({ credit: 500 })), ["buy", "cash_out", "pay_owed", "lamp_dark", "void_hand", "close_seat"]);
  assert.deepEqual(servicesAt(seat({ bet: 1, valid: true }), table({ phase: "sealed", cards: { m: "As" } })), ["void_hand", "show_card", "close_seat"]);
  assert.deepEqual(servicesAt(seat({ closed: "x", credits: 2 }), table({ credit: 500 })), ["cash_out"]);
});

test("R-21: an award waits, is verified, paid; its minutes are told, and what is overdue is said", () => {
  const award = { award: "M1/9/1/1", table: "M1", seat: 3, prize: "full", amount: 5, since: 0, due: 1_800_000 };
  const state = (more, at = table()) => awardState({ ...award, ...more }, at, 240_000);
  assert.deepEqual([state({}).standing, state({}).minutes, state({}).minutesLeft, state({}).mayPay], ["verify", 4, 26, false]);
  assert.equal(state({ confirmed: true }).mayPay, true);
  assert.equal(state({ confirmed: true, frozen: true }).standing, "frozen");
  assert.equal(state({ confirmed: true, waits: true }).standing, "waits");
  assert.equal(state({ overdue: true }).isOverdue, true);
});

test("R-29: a complementary prize is paid when its pass is over", () => {
  const award = { award: "M1/9/p1/1", table: "M1", seat: 3, prize: "Estrella", confirmed: true };
  assert.equal(awardState(award, table({ phase: "sealed", number: 9 }), 0).standing, "at_close");
  assert.equal(awardState(award, table({ phase: "between", number: 9 }), 0).standing, "pay");
  assert.equal(awardState(award, table({ phase: "sealed", number: 10 }), 0).standing, "pay");
});

test("R-13: awards of this table alone, in paying order", () => {
  const one = (award, order, at = "M1") => ({ award, order, table: at });
  assert.deepEqual(inPayingOrder([one("b", 2), one("c", 1), one("a", 3, "M2")], "M1").map(({ award }) => award), ["c", "b"]);
});

test("what is asked is what the node takes: the pass that ended has its number, the sealed one has none", () => {
  const draft = { ...claiming(draftOf("go"), 3, "full"), community: ["2h", "3h"] };
  assert.deepEqual(acts.registerClaim(draft, false), { ask: { ask: "register_claim", table: "M1", hands: [{ seat: 3, claimed: "full" }], community: ["2h", "3h"] } });
  assert.equal(acts.registerClaim(draft, true).ask.number, 9);
  assert.deepEqual(acts.correctClaim(claiming(draftOf(), 3, "full"), { reason: "x", recording: "", resolution: "R 1" }),
    { ask: { ask: "correct_claim", table: "M1", number: 9, hands: [{ seat: 3, claimed: "full" }], reason: "x", resolution: "R 1" } });
  assert.deepEqual(acts.openNext("M1"), { do: "unlock", table: "M1" });
  assert.deepEqual(acts.payOwed("M1", 2, ""), { ask: { ask: "pay_owed", table: "M1", seat: 2 } });
});

test("a preview is said as it came: awards with their arithmetic, who is paid nothing, where the pot would stand", () => {
  const money = { symbol: "$" };
  const lines = previewLines({
    sees: "", before: { main: 10, base: 1 }, after: { main: 4, base: 1 },
    awards: [{ award: "a", seat: 3, prize: "full", amount: 200_000, rules: ["R-11"], reckoning: { pays: "100 × apuesta", bet: 2_000 } },
      { award: "b", seat: 1, prize: "escalera_color", amount: 0, waits: true }],
    unpaid: [{ seat: 5, reason: "folded" }, { seat: 6, reason: "no_claim" }],
  }, money);
  assert.deepEqual(lines.map((line) => line.kind), ["award", "award", "unpaid", "plain"]);
  assert.deepEqual([lines[0].title, lines[0].amount, lines[0].detail], ["Full", "$\u00a0200.000", "paga 100 × apuesta; apostó $\u00a02.000 · R-11"]);
  assert.equal(lines[1].amount, "por decidir");
  assert.equal(lines[3].amount, "$\u00a010 → $\u00a04");
});

test("where nobody is paid every seat says why", () => {
  const lines = previewLines({ sees: "", awards: [], unpaid: [{ seat: 6, reason: "no_claim" }] }, { symbol: "$" });
  assert.equal(lines[0].title, "Posición 6: no cobra, no se le anotó jugada");
});

test("R-34: a correction begins with all that stands on record, and says that it takes its place", () => {
  const claimed = { hands: [{ seat: 3, claimed: "full" }, { seat: 1, cards: ROYAL, claimed: "escalera_real" }], community: [] };
  const draft = claiming(correcting(draftOf(), claimed), 6, "color");
  assert.deepEqual(asHands(draft), [{ seat: 1, cards: ROYAL }, { seat: 3, claimed: "full" }, { seat: 6, claimed: "color" }]);
  assert.equal(draft.corrects, true);
  assert.equal(claiming(draftOf(), 6, "color").corrects, false, "one that was begun from nothing never replaces another's claim");
});

test("a console says which pass it enters when that changes and again while it lasts, and sees the others", () => {
  const said = [];
  const noting = new Noting({ post: async (path, body) => said.push([path, body.number]) }, "M1");
  for (const [pass, now] of [[0, 0], [9, 1], [9, 2000], [9, 4001], [0, 4002], [0, 99_999]]) noting.say(pass, now);
  assert.deepEqual(said, [["note", 9], ["note", 9], ["note", 0]]);
  const note = { table: "M1", entering: [{ terminal: "a", number: 9 }, { terminal: "b", number: 9 }, { terminal: "c", number: 8 }] };
  assert.deepEqual(othersAt(note, "a", 9), ["b"]);
  assert.deepEqual(othersAt(undefined, "a", 9), []);
});

test("R-5 seats that came back while the pass is open are opened again by the one button", () => {
  const seats = [{ seat: 1, health: "up", unit_locked: true }, { seat: 2, health: "up" }, { seat: 3, health: "down", unit_locked: true }, { seat: 4, health: "up", unit_locked: true, closed: "lámpara" }, { seat: 5, health: "up", unit_locked: true, waits: "pass" }];
  const open = table({ phase: "open" });
  assert.deepEqual(shutSeats(open, seats), [1]);
  assert.deepEqual(shutSeats(table({ phase: "sealed" }), seats), []);
  assert.equal(tableState(known({ table: open, isShut: true })).next, "reopen");
  assert.equal(tableState(known({ table: open })).next, "lock");
});
