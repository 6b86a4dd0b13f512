/**
 * What concerns the whole table and is seldom done: void the pass, end it, a late winner, a correction, the lamp test, who signs.
 */

import { element, mark } from "../ground/element.js";
import { openSheet } from "../ground/sheet.js";
import { switchLanguage, text } from "../ground/texts.js";
import * as acts from "./acts.js";
import { communityCount } from "./games.js";
import { previewRows } from "./preview_view.js";
import { Reasons } from "./reasons.js";
import { shutSeats } from "./table_state.js";

/** @typedef {import("./screen.js").Screen} Screen */

/** @param {Screen} screen */
export function openMore(screen) {
  const { table, seats } = screen.known();
  const sheet = openSheet({ title: text("more.title", { table: screen.table }), kind: "more", body: [] });
  const leave = (/** @type {() => void} */ then) => () => {
    sheet.close();
    then();
  };
  const item = (/** @type {string} */ words, /** @type {() => void} */ then) => element("button", { type: "button", class: "first", click: leave(then) }, words);
  const last = table?.last_sealed ?? 0;
  const enters = screen.passEntered();
  const phase = table?.phase ?? "between";
  const person = screen.person;
  const items = [
    enters && (phase !== "sealed" || screen.hasClaim(enters))
      ? item(text(screen.hasClaim(enters) ? "more.correct" : "more.late", { n: enters }), () => screen.enter(enters)) : null,
    last > 1 ? item(text("more.correct.other"), () => askPass(screen, last)) : null,
    shutSeats(table, seats).length ? item(text("more.reopen"), () => void screen.reopen()) : null,
    communityCount(table?.modality) && phase === "sealed" ? item(text("more.community"), () => void screen.openHand(0)) : null,
    phase !== "between" ? item(text("more.void_pass"), () => voidPass(screen, table?.number ?? 0)) : null,
    phase === "sealed" ? item(text("more.close_pass"), () => void screen.closePass()) : null,
    phase === "between" ? item(text("more.lamp_test"), () => lampTest(screen, seats.map((seat) => seat.seat))) : null,
    person ? item(text("more.sign_out", { name: person.name }), () => void screen.signOut()) : item(text("more.sign_in"), () => void screen.ensurePerson()),
    item(text("language.other"), switchLanguage),
  ];
  sheet.dialog.querySelector(".sheet-body")?.append(...items.filter((one) => one !== null));
}

/** @param {Screen} screen @param {number} number */
function voidPass(screen, number) {
  const { currency } = screen.at(0);
  const why = new Reasons(["misdeal", "shuffler", "exposed"], () => void signing.look());
  const signing = screen.sign({
    title: text("more.void_pass.title", { n: number }),
    confirm: text("more.void_pass.confirm"),
    act: () => (why.said ? acts.voidPass(screen.table, why.said) : text("sign.reason")),
    extra: [why.root],
    shows: (preview) => (preview ? previewRows(preview, currency) : []),
    done: () => screen.felt.tell(text("more.void_pass.done", { n: number })),
  });
}

/**
 * The lamps are lit, the croupier looks, and what he saw is noted.
 * @param {Screen} screen
 * @param {number[]} seats
 */
function lampTest(screen, seats) {
  screen.sign({
    title: text("more.lamp_test"), confirm: text("more.lamp_test.start"), act: () => acts.lampTest(screen.table),
    done: () => tellLamps(screen, seats),
  });
}

/** @param {Screen} screen @param {number[]} seats */
function tellLamps(screen, seats) {
  /** @type {Set<number>} */
  const dark = new Set();
  const buttons = seats.map((seat) => {
    const turn = () => {
      if (!dark.delete(seat)) dark.add(seat);
      mark(button, "aria-pressed", dark.has(seat) ? "true" : "false");
    };
    const button = element("button", { type: "button", class: "first preset", "aria-pressed": "false", click: turn }, String(seat));
    return button;
  });
  screen.sign({
    title: text("more.lamp_test"), confirm: text("more.lamp_test.confirm"),
    act: () => acts.tellLamps(screen.table, [...dark].sort((one, other) => one - other)),
    extra: [element("p", {}, text("more.lamp_test.how")), element("div", { class: "row" }, ...buttons)],
    done: () => screen.felt.tell(text("more.lamp_test.done")),
  });
}

/**
 * Which pass, by its number.
 * @param {Screen} screen
 * @param {number} last
 */
function askPass(screen, last) {
  const typed = element("output", { class: "pass-typed" }, "");
  const show = () => {
    typed.textContent = number || "–";
  };
  const back = text("pin.back");
  let number = "";
  const press = (/** @type {string} */ digit) => () => {
    number = digit === back ? number.slice(0, -1) : (number + digit).slice(0, 6);
    show();
  };
  const keys = ["1", "2", "3", "4", "5", "6", "7", "8", "9", back, "0"].map((digit) => element("button", { type: "button", class: "key", click: press(digit) }, digit));
  const sheet = openSheet({
    title: text("more.correct.other"), confirm: text("sheet.done"), kind: "ask-pass",
    body: [element("div", { class: "pin" }, typed, element("div", { class: "keys" }, ...keys))],
    confirmed: () => {
      const pass = Number(number);
      if (pass < 1 || pass > last) return sheet.tell(text("state.sealed.none", { n: last }), true);
      sheet.close();
      screen.enter(pass);
    },
  });
  show();
}
