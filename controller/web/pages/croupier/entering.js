/**
 * Who stands at the table: his PIN once, and from then on he opens and locks passes without it.
 *
 * The ticket that comes of it stays in the web process; this page knows a name. When it is over, the PIN is asked and what
 * was asked before is asked again, under its own id.
 */

import { element, fill } from "../ground/element.js";
import { newId } from "../ground/key.js";
import { PeopleChooser } from "../ground/people.js";
import { PinPad } from "../ground/pin.js";
import { openSheet } from "../ground/sheet.js";
import { troubleText } from "../ground/said.js";
import { text } from "../ground/texts.js";

/** @typedef {import("../ground/vocabulary.js").Person} Person */

/**
 * @param {object} order
 * @param {import("../ground/box.js").Asks} order.api
 * @param {Person[]} order.people
 * @param {string} order.table
 * @param {Person} [order.person] whose ticket is over
 * @returns {Promise<Person | null>} who signed in; nobody, where the sheet was left
 */
export function signIn({ api, people, table, person }) {
  return new Promise((resolve) => {
    /** @type {Person | null} */
    let chosen = person ?? null;
    /** @type {Person | null} */
    let entered = null;
    let id = newId();
    let isAsking = false;
    const where = element("div", { class: "who" });
    const hint = element("p", { class: "hint" }, text(person ? "enter.over" : "enter.how"));
    let pad = new PinPad({ label: "", done: () => {} });

    const sheet = openSheet({
      title: text("enter.title", { table }), confirm: text("enter.confirm"), kind: "entering", body: [hint, where],
      confirmed: () => void enter(),
      closed: () => resolve(entered),
    });

    function show() {
      if (!chosen) {
        const take = (/** @type {Person} */ one) => {
          chosen = one;
          show();
        };
        fill(where, [new PeopleChooser({ label: text("sign.who"), people, roles: ["croupier", "chief"], chosen: take }).root]);
        return;
      }
      pad = new PinPad({ label: text("sign.pin", { name: chosen.name }), done: () => sheet.press() });
      const other = () => {
        chosen = null;
        show();
      };
      fill(where, [pad.root, element("button", { type: "button", class: "other", click: other }, text("sign.other"))]);
      pad.focus();
    }

    async function enter() {
      if (isAsking) return;
      if (!chosen) return sheet.tell(text("sign.who"), true);
      if (!pad.isComplete) return sheet.tell(text("sign.pin_short"), true);
      isAsking = true;
      sheet.tell(text("trouble.asking"));
      const answer = await api.settle("sign-in", { id, person: chosen.person, pin: pad.take(), table });
      isAsking = false;
      if (answer.meaning === "done") {
        entered = chosen;
        return sheet.close();
      }
      if (answer.meaning !== "again") id = newId();
      sheet.tell(answer.meaning === "again" ? text("trouble.unsure") : troubleText(answer.trouble), true);
    }

    show();
  });
}
