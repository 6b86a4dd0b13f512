/**
 * What is done at one seat besides winning: credits, cash out, chips to hand back, a dark lamp, a void hand, a closed seat.
 *
 * First the seat's own sheet with what can be done there now; then, for what was chosen, a sheet to sign with the node's preview.
 */

import { element } from "../ground/element.js";
import { written } from "../ground/money.js";
import { PeopleChooser } from "../ground/people.js";
import { reasonText } from "../ground/said.js";
import { openSheet } from "../ground/sheet.js";
import { faultText, text } from "../ground/texts.js";
import * as acts from "./acts.js";
import { cardText } from "./faces.js";
import { previewRows } from "./preview_view.js";
import { Reasons } from "./reasons.js";
import { faultsOf, seatState, servicesAt } from "./seat_state.js";

/** @typedef {import("./seat_state.js").Service} Service */
/** @typedef {import("./screen.js").Screen} Screen */
/** @typedef {import("../ground/vocabulary.js").Reply} Reply */
/** @typedef {import("../ground/vocabulary.js").Preview} Preview */

export const AMOUNTS = [2, 5, 10, 20, 50, 100];
/** @type {Partial<Record<Service, string[]>>} */
const REASONS = {
  void_hand: ["no_cards", "misdeal", "exposed", "lamp", "absent"],
  close_seat: ["device", "lamp", "player"],
};

/**
 * @param {Screen} screen
 * @param {number} number
 */
export function openServices(screen, number) {
  const { seat, table, currency } = screen.at(number);
  if (!seat || !table) return;
  const services = servicesAt(seat, table);
  const leave = (/** @type {() => void} */ then) => () => {
    sheet.close();
    then();
  };
  const buy = AMOUNTS.map((credits) => element("button", { type: "button", class: "first preset", click: leave(() => sign(screen, "buy", number, credits)) }, text("service.buy.n", { n: credits })));
  const others = services.filter((one) => one !== "buy").map((one) => element("button", { type: "button", class: "first", click: leave(() => sign(screen, one, number)) }, text(`service.${one}`)));
  const { matter } = seatState(seat, table);
  const said = [
    seat.closed && text("service.closed", { why: reasonText(seat.closed) }),
    !seat.closed && seat.health === "down" && text("service.silent"),
    matter === "next_pass" && text("service.next_pass"),
    seat.unsigned && text("service.unsigned", { amount: written(seat.unsigned, currency) }),
    seat.owed && text("service.pay_owed.how", { amount: written(seat.owed, currency) }),
    faultsOf(seat).length && text("service.fault", { why: faultsOf(seat).map(faultText).join(", ") }),
  ].filter((one) => typeof one === "string" && one);
  const sheet = openSheet({
    title: text("service.title", { seat: number }), kind: "services", cancel: text("sheet.cancel"),
    body: [
      ...said.map((words) => element("p", { class: "matter-said" }, String(words))),
      services.includes("buy") ? element("div", { class: "row", role: "group", "aria-label": text("service.buy") }, element("span", { class: "label" }, text("service.buy.how")), ...buy) : null,
      element("div", { class: "row others" }, ...others),
      services.length ? null : element("p", { class: "dim" }, text("more.quiet")),
    ],
  });
}

/**
 * @param {Screen} screen
 * @param {Service} service
 * @param {number} seat
 * @param {number} [credits]
 */
function sign(screen, service, seat, credits = 0) {
  const { seat: shown, table } = screen.at(seat);
  if (!shown || !table) return;
  const reasons = REASONS[service];
  const why = reasons ? new Reasons(reasons, () => void signing?.look()) : null;
  const told = service === "pay_owed" && shown.over ? new PeopleChooser({ label: text("service.pay_owed.told"), people: screen.people, roles: ["chief"], chosen: () => void signing?.look() }) : null;
  const prize = Object.keys(table.cards ?? {})[0] ?? "";
  const act = () => {
    if (why && !why.said) return text("sign.reason");
    if (told && !told.person) return text("service.pay_owed.told");
    return bodyOf(service, screen.table, seat, { credits, reason: why?.said ?? "", told: told?.person?.person ?? "", prize });
  };
  const card = table.cards?.[prize];
  const extra = [
    ...(service === "lamp_dark" ? [element("p", {}, text("service.lamp_dark.how"))] : []),
    ...(service === "show_card" && card ? [element("p", {}, text("cards.drawn", { card: cardText(card), prize }))] : []),
    ...(why ? [why.root] : []),
    ...(told ? [told.root] : []),
  ];
  const signing = screen.sign({
    title: `${text("service.title", { seat })} · ${text(`service.${service}`)}`,
    confirm: service === "buy" ? text("service.buy.confirm", { n: credits }) : text(`service.${service}.confirm`),
    act,
    extra,
    ...(service === "pay_owed" ? { secondRoles: ["chief", "administrator"] } : {}),
    shows: (preview, would) => rowsOf(screen, service, preview, would),
    done: (reply, preview) => screen.felt.tell(doneText(screen, service, seat, { reply, preview, prize })),
  });
}

/**
 * @param {Service} service
 * @param {string} table
 * @param {number} seat
 * @param {{credits: number, reason: string, told: string, prize: string}} more
 */
function bodyOf(service, table, seat, { credits, reason, told, prize }) {
  switch (service) {
    case "buy": return acts.buyCredits(table, seat, credits);
    case "cash_out": return acts.cashOut(table, seat);
    case "pay_owed": return acts.payOwed(table, seat, told);
    case "lamp_dark": return acts.lampDark(table, seat);
    case "void_hand": return acts.voidHand(table, seat, reason);
    case "show_card": return acts.showCard(table, seat, prize);
    case "close_seat": return acts.closeSeat(table, seat, reason);
  }
}

/**
 * Of credits what matters is the money in the croupier's hand; of all else, what the preview says.
 * @param {Screen} screen
 * @param {Service} service
 * @param {Preview | null} preview
 * @param {import("../ground/vocabulary.js").Fact[]} would
 */
function rowsOf(screen, service, preview, would) {
  const { currency } = screen.at(0);
  const amount = would[0]?.amount;
  const isMoney = service === "buy" || service === "cash_out";
  const large = isMoney && typeof amount === "number"
    ? [element("p", { class: "large-amount" }, text(service === "buy" ? "service.buy.costs" : "service.cash_out.hands", { amount: written(amount, currency) }))]
    : [];
  const balances = (preview?.seats ?? []).map((one) => element("p", { class: "balance" }, text("preview.balance", { seat: one.seat, credits: one.credits ?? 0 })));
  return [...large, ...(isMoney ? balances : previewRows(preview, currency))];
}

/**
 * @param {Screen} screen
 * @param {Service} service
 * @param {number} seat
 * @param {{reply: Reply, preview: Preview | null, prize: string}} made
 */
function doneText(screen, service, seat, { reply, preview, prize }) {
  const { currency } = screen.at(seat);
  const fact = (reply.facts ?? [])[0] ?? { kind: "" };
  const amount = typeof fact.amount === "number" ? written(fact.amount, currency) : "";
  const credits = preview?.seats?.find((one) => one.seat === seat)?.credits ?? 0;
  if (service === "buy") return text(fact.practice ? "service.buy.done.practice" : "service.buy.done", { amount, seat, credits });
  return text(`service.${service}.done`, { seat, amount, prize });
}
