/**
 * One table for its chief: each seat with what is the matter, and what can be done there: open, close, sign what was voided; and
 * what concerns all of it: the next pass, a late winner, a correction, the lamps, a training.
 */

import { lampTest, tellLamps, voidPass } from "../croupier/acts.js";
import * as croupier from "../croupier/acts.js";
import { shape } from "../croupier/drawings.js";
import { previewRows } from "../croupier/preview_view.js";
import { Reasons } from "../croupier/reasons.js";
import { faultsOf, seatState } from "../croupier/seat_state.js";
import { element, listIn, mark, say } from "../ground/element.js";
import { written } from "../ground/money.js";
import { reasonText } from "../ground/said.js";
import { openSheet } from "../ground/sheet.js";
import { faultText, text } from "../ground/texts.js";
import * as acts from "./chief_acts.js";
import { draftOf, openPass } from "./pass_sheet.js";

/** @typedef {import("./floor.js").Floor} Floor */
/** @typedef {import("../ground/vocabulary.js").SeatEntity} Seat */

const LAST_PASSES = 6;

/** @typedef {[words: string, then: () => void]} Act */

/**
 * It follows the table as long as it is open: a seat that was closed a moment ago can be opened.
 * @param {Floor} floor
 * @param {string} name
 */
export function openTable(floor, name) {
  if (!floor.table(name)) return floor.tell(text("state.no_table.do"), true);
  const whole = element("div", { class: "row whole" });
  const seats = element("div", { class: "seat-rows" });
  const stop = floor.live.onChange(show);
  const sheet = openSheet({ title: "", kind: "table-sheet", cancel: text("sheet.done"), body: [whole, seats], closed: stop });
  // Made once for its word, so that none is taken away under a finger; what it does is looked up when it is pressed.
  const button = (/** @type {string} */ words, /** @type {() => Act[]} */ actsNow) => {
    const press = () => {
      const act = actsNow().find(([said]) => said === words);
      sheet.close();
      act?.[1]();
    };
    return { root: element("button", { type: "button", click: press }, words), show: () => {} };
  };
  const showWhole = listIn(whole, wordsOf, (/** @type {Act} */ [words]) => button(words, () => wholeActs(floor, name)));
  const showSeats = listIn(seats, (/** @type {Seat} */ seat) => String(seat.seat), ({ seat }) => seatRow(floor, name, seat, button));
  show();

  function show() {
    const table = floor.table(name);
    if (!table) return sheet.close();
    say(sheet.title, `${text("table.title", { table: name })} · ${text(/** @type {import("../ground/texts.js").Key} */ (`state.${table.phase}`))} · ${text("table.pass", { n: table.number })}`);
    showWhole(wholeActs(floor, name));
    showSeats(floor.seatsOf(name));
  }
}

/** @param {Act} act */
const wordsOf = ([words]) => words;

/**
 * @param {Floor} floor
 * @param {string} name
 * @param {number} number
 * @param {(words: string, actsNow: () => Act[]) => {root: Element, show: () => void}} button
 */
function seatRow(floor, name, number, button) {
  const lamp = element("span", { class: "lamp" });
  const matter = element("strong", {});
  const more = element("span", {});
  const does = element("span", { class: "does" });
  const root = element("div", { class: "seat-row" }, element("b", { class: "number" }, String(number)), lamp, element("span", { class: "said" }, matter, more), does);
  const now = () => floor.seatsOf(name).find((one) => one.seat === number);
  const actsNow = () => {
    const seat = now();
    return seat ? seatActs(floor, name, seat) : [];
  };
  const showActs = listIn(does, wordsOf, (/** @type {Act} */ [words]) => button(words, actsNow));
  let shownLamp = "";
  return { root, show };

  /** @param {Seat} seat */
  function show(seat) {
    const table = floor.table(name);
    if (!table) return;
    const money = floor.potOf(name);
    const state = seatState(seat, table);
    if (state.lamp !== shownLamp) lamp.replaceChildren(shape(`lamp-${state.lamp}`));
    shownLamp = state.lamp;
    const said = [seat.closed && reasonText(seat.closed), seat.unsigned && written(seat.unsigned, money), ...faultsOf(seat).map(faultText)].filter(Boolean).join(" · ");
    say(matter, state.matter ? text(/** @type {import("../ground/texts.js").Key} */ (`matter.${state.matter}`)) : state.bet ? written(state.bet, money) : text("seat.no_bet"));
    say(more, said ? ` ${said}` : "");
    mark(root, "data-grave", state.isGrave);
    showActs(actsNow());
  }
}

/**
 * @param {Floor} floor
 * @param {string} table
 * @param {Seat} seat
 * @returns {Act[]}
 */
function seatActs(floor, table, seat) {
  const title = text("chief.place", { table, seat: seat.seat });
  /** @type {Act[]} */
  const found = [];
  if (seat.unsigned) found.push([text("chief.sign_void"), () => signVoid(floor, table, seat)]);
  if (seat.closed) found.push([text("chief.open_seat"), () => simple(floor, `${title} · ${text("chief.open_seat")}`, acts.openSeat(table, seat.seat), text("chief.open_seat.done", { seat: seat.seat }), ["chief", "technician"])]);
  else found.push([text("service.close_seat"), () => closeSeat(floor, table, seat.seat)]);
  if (faultsOf(seat).length) found.push([text("chief.clear_faults"), () => simple(floor, `${title} · ${text("chief.clear_faults")}`, acts.clearFaults(table, seat.seat), text("chief.done"), ["chief", "technician"])]);
  return found;
}

/**
 * @param {Floor} floor
 * @param {string} table
 * @returns {Act[]}
 */
function wholeActs(floor, table) {
  const known = floor.table(table);
  const last = known?.last_sealed ?? 0;
  const isBetween = known?.phase === "between";
  /** @type {Act[]} */
  const found = [];
  if (known?.phase === "between" || known?.phase === "sealed") found.push([text("next.open"), () => simple(floor, text("next.open"), croupier.openNext(table), text("chief.done"), ["chief", "croupier"])]);
  if (known?.phase === "open") found.push([text("next.lock"), () => simple(floor, text("next.lock"), croupier.lock(table), text("chief.done"), ["chief", "croupier"])]);
  if (last) found.push([text("chief.pass.ask"), () => askPass(floor, table, last)]);
  if (!isBetween) found.push([text("more.void_pass"), () => void voidWhole(floor, table, known?.number ?? 0)]);
  if (isBetween) found.push([text("more.lamp_test"), () => lamps(floor, table)]);
  if (known?.training) found.push([text("chief.training.end"), () => simple(floor, text("chief.training.end"), acts.endTraining(table), text("chief.done"), ["chief"])]);
  else if (isBetween) found.push([text("chief.training.start"), () => startTraining(floor, table)]);
  return found;
}

/**
 * @param {Floor} floor
 * @param {string} title
 * @param {acts.Body} body
 * @param {string} done
 * @param {string[]} roles
 */
function simple(floor, title, body, done, roles) {
  floor.sign({ title, confirm: text("chief.confirm"), act: () => body, roles, done: () => floor.tell(done) });
}

/** @param {Floor} floor @param {string} table */
function startTraining(floor, table) {
  floor.sign({
    title: `${text("table.title", { table })} · ${text("chief.training.start")}`,
    confirm: text("chief.confirm"),
    roles: ["chief", "croupier"],
    two: true,
    extra: [element("p", {}, text("chief.training.how"))],
    act: () => acts.startTraining(table),
    done: () => floor.tell(text("chief.done")),
  });
}

/** @param {Floor} floor @param {string} table @param {Seat} seat */
function signVoid(floor, table, seat) {
  floor.sign({
    title: `${text("chief.place", { table, seat: seat.seat })} · ${text("chief.sign_void")}`,
    confirm: text("chief.confirm"),
    extra: [element("p", { class: "large-amount" }, written(seat.unsigned ?? 0, floor.potOf(table))), element("p", {}, text("chief.sign_void.how"))],
    act: () => acts.signVoid(table, seat.seat),
    done: () => floor.tell(text("chief.done")),
  });
}

/** @param {Floor} floor @param {string} table @param {number} seat */
function closeSeat(floor, table, seat) {
  const why = new Reasons(["device", "lamp", "player"]);
  floor.sign({
    title: `${text("chief.place", { table, seat })} · ${text("service.close_seat")}`,
    confirm: text("service.close_seat.confirm"),
    roles: ["chief", "technician", "croupier"],
    extra: [why.root],
    act: () => (why.said ? croupier.closeSeat(table, seat, why.said) : text("sign.reason")),
    done: () => floor.tell(text("service.close_seat.done", { seat })),
  });
}

/** @param {Floor} floor @param {string} table @param {number} pass */
function voidWhole(floor, table, pass) {
  /** @type {import("../ground/signing.js").Signing | null} */
  let signing = null;
  const why = new Reasons(["misdeal", "shuffler", "exposed"], () => void signing?.look());
  return floor.signAt(table, () => ({
    title: text("more.void_pass.title", { n: pass }),
    confirm: text("more.void_pass.confirm"),
    extra: [why.root],
    shows: (preview) => (preview ? previewRows(preview, floor.potOf(table)) : []),
    act: () => (why.said ? voidPass(table, why.said) : text("sign.reason")),
    done: () => floor.tell(text("more.void_pass.done", { n: pass })),
  })).then((made) => (signing = made));
}

/** @param {Floor} floor @param {string} table */
function lamps(floor, table) {
  const roles = ["chief", "technician", "croupier"];
  floor.sign({
    title: `${text("table.title", { table })} · ${text("more.lamp_test")}`, confirm: text("more.lamp_test.start"), roles, act: () => lampTest(table),
    done: () => {
      /** @type {Set<number>} */
      const dark = new Set();
      const keys = floor.seatsOf(table).map(({ seat }) => {
        const key = element("button", { type: "button", class: "first preset", "aria-pressed": "false", click: () => {
          if (!dark.delete(seat)) dark.add(seat);
          mark(key, "aria-pressed", dark.has(seat) ? "true" : "false");
        } }, String(seat));
        return key;
      });
      floor.sign({
        title: text("more.lamp_test"), confirm: text("more.lamp_test.confirm"), roles,
        extra: [element("p", {}, text("more.lamp_test.how")), element("div", { class: "row" }, ...keys)],
        act: () => tellLamps(table, [...dark].sort((a, b) => a - b)),
        done: () => floor.tell(text("more.lamp_test.done")),
      });
    },
  });
}

/**
 * Which pass is completed or put right: one of the last, or another by its number.
 * @param {Floor} floor
 * @param {string} table
 * @param {number} last
 */
function askPass(floor, table, last) {
  const field = element("input", { type: "text", inputmode: "numeric", maxlength: 7, autocomplete: "off", "aria-label": text("more.correct.other") });
  const go = (/** @type {number} */ pass) => {
    sheet.close();
    void openPass(floor, table, draftOf(floor, table, pass));
  };
  const recent = Array.from({ length: Math.min(LAST_PASSES, last) }, (_, at) => last - at);
  const keys = recent.map((pass) => element("button", { type: "button", class: "first", click: () => go(pass) }, text("table.pass", { n: pass })));
  const sheet = openSheet({
    title: `${text("table.title", { table })} · ${text("chief.pass.ask")}`, confirm: text("chief.pass.next"), kind: "ask-pass",
    body: [element("p", {}, text("chief.pass.which")), element("div", { class: "row" }, ...keys), element("label", {}, `${text("more.correct.other")} `, field)],
    confirmed: () => {
      const pass = Number(field.value);
      if (!Number.isInteger(pass) || pass < 1 || pass > last) return sheet.tell(text("state.sealed.none", { n: last }), true);
      go(pass);
    },
  });
}
