/**
 * One award as for a player who disputes it: the hand, its cards, seat and rule, how the amount comes about, who entered it, and
 * the clock of the verification; beside it the PIN of whoever confirms. What else can be done with it is one tap away.
 */

import { awardState } from "../croupier/award_state.js";
import { row } from "../croupier/faces.js";
import { ownCount } from "../croupier/games.js";
import { prizeText } from "../croupier/preview_lines.js";
import { previewRows } from "../croupier/preview_view.js";
import { Reasons } from "../croupier/reasons.js";
import * as croupier from "../croupier/acts.js";
import { element } from "../ground/element.js";
import { written } from "../ground/money.js";
import { text, textOr } from "../ground/texts.js";
import { askAmount } from "./amount.js";
import * as acts from "./chief_acts.js";
import { draftOf, openPass } from "./pass_sheet.js";

/** @typedef {import("./floor.js").Floor} Floor */
/** @typedef {import("../ground/vocabulary.js").AwardEntity} Award */

/** @param {string} award */
const claimOf = (award) => award.split("/").slice(0, -1).join("/");

/**
 * @param {Floor} floor
 * @param {string} name
 */
export function openAward(floor, name) {
  const award = floor.awards.find((one) => one.award === name);
  if (!award) return floor.tell(text("chief.award.gone"), true);
  const state = awardState(award, floor.table(award.table), floor.live.nodeTime);
  const mayPay = state.mayPay;
  const title = `${text("chief.place", { table: award.table, seat: award.seat })} · ${prizeText(award.prize)}`;
  const leave = (/** @type {() => void} */ then) => () => {
    signing.sheet.close();
    then();
  };
  const others = othersFor(floor, award).map(([words, then]) => element("button", { type: "button", click: leave(then) }, words));
  const isWaiting = state.standing === "verify" || mayPay;
  const signing = floor.sign({
    title,
    kind: "of-award",
    confirm: text(mayPay ? "award.paid" : "chief.award.confirm"),
    roles: mayPay ? ["croupier", "chief"] : ["chief"],
    secondRoles: ["croupier", "chief", "administrator"],
    extra: [...details(floor, award), element("div", { class: "row others" }, ...others)],
    act: () => (isWaiting ? (mayPay ? croupier.payAward(award.award) : acts.confirmAward(award.award)) : text(`award.${state.standing}.do`)),
    done: () => floor.tell(text(mayPay ? "chief.award.paid" : "chief.award.confirmed", { award: title })),
  });
}

/**
 * What a disputing player is shown.
 * @param {Floor} floor
 * @param {Award} award
 * @returns {Node[]}
 */
export function details(floor, award) {
  const pot = floor.pot(award.pot);
  const claim = floor.claim(claimOf(award.award));
  const hand = claim?.hands?.find((one) => one.seat === award.seat);
  const own = ownCount(floor.table(award.table)?.modality ?? "");
  const cards = [...(hand?.cards?.length ? row(hand.cards, own) : []), ...(hand?.cards?.length ? row(claim?.community ?? [], 0) : [])];
  const line = (/** @type {string} */ key, /** @type {string} */ words) => (words ? element("p", { class: "fact" }, element("i", {}, text(/** @type {import("../ground/texts.js").Key} */ (key))), words) : null);
  const named = (/** @type {string} */ person) => floor.nameOf(person);
  const parts = Object.entries(award.parts ?? {}).map(([part, amount]) => `${textOr(`part.${part}`, part)} ${written(amount, pot)}`);
  const house = award.house ? [`${text("part.house")} ${written(award.house, pot)}`] : [];
  const state = awardState(award, floor.table(award.table), floor.live.nodeTime);
  const clock = `${text("award.minutes", { n: state.minutes })}${state.isOverdue ? ` · ${text("award.overdue")}` : state.minutesLeft ? ` · ${text("award.left", { n: state.minutesLeft })}` : ""}`;
  return [
    element("p", { class: "large-amount" }, award.waits ? text("award.unknown") : written(award.amount ?? 0, pot)),
    cards.length ? element("div", { class: "faces" }, ...cards) : element("p", { class: "matter-said" }, text(claim?.prize ? "chief.award.drawn" : "chief.award.no_cards")),
    line("chief.award.standing", textOr(`award.${state.standing}`, state.standing)),
    line("chief.award.clock", award.since ? clock : ""),
    line("chief.award.pays", pot?.paytable?.[award.prize] ?? ""),
    line("chief.award.source", [...parts, ...house].join(" + ")),
    line("chief.award.rules", (award.rules ?? []).join(" ")),
    line("chief.award.entered", (award.entered ?? []).map(named).join(", ")),
    line("chief.award.signed", [award.by, award.second].flatMap((one) => (one ? [named(one)] : [])).join(", ")),
    line("chief.award.advanced", award.advanced ? written(award.advanced, pot) : ""),
    line("chief.award.doubted", award.doubted ?? ""),
  ].filter((one) => one !== null);
}

/**
 * What else can be done with it.
 * @param {Floor} floor
 * @param {Award} award
 * @returns {[string, () => void][]}
 */
function othersFor(floor, award) {
  const claim = claimOf(award.award);
  const known = floor.claim(claim);
  const pass = Number(award.award.split("/")[1]);
  /** @type {[string, () => void][]} */
  const others = [];
  if (known && !known.prize) others.push([text("chief.award.correct"), () => void openPass(floor, award.table, draftOf(floor, award.table, pass))]);
  others.push([text("chief.award.reject"), () => void reject(floor, award, claim)]);
  if (award.waits) others.push([text("chief.award.advance"), () => advance(floor, award)]);
  if (award.confirmed) others.push([text("chief.award.aside"), () => setAside(floor, award)]);
  return others;
}

/**
 * @param {Floor} floor
 * @param {Award} award
 * @param {string} claim
 */
function reject(floor, award, claim) {
  const why = new Reasons(["wrong_hand", "wrong_seat", "wrong_card", "recording_seen"]);
  return floor.signAt(award.table, () => ({
    title: text("chief.reject.title", { claim }),
    confirm: text("chief.reject.confirm"),
    two: true,
    extra: [element("p", { class: "matter-said" }, text("chief.reject.how")), why.root],
    shows: (preview) => previewRows(preview, floor.pot(award.pot)),
    act: () => (why.said ? acts.rejectClaim(claim, why.said) : text("sign.reason")),
    done: () => floor.tell(text("chief.reject.done", { claim })),
  })).then((signing) => signing && why.root.addEventListener("click", () => void signing.look()));
}

/** @param {Floor} floor @param {Award} award */
function advance(floor, award) {
  const amount = askAmount(floor.pot(award.pot));
  const why = new Reasons(["offline", "player"]);
  floor.sign({
    title: text("chief.advance.title", { award: award.award }),
    confirm: text("chief.advance.confirm"),
    two: true,
    secondRoles: ["croupier", "chief", "administrator"],
    extra: [element("p", {}, text("chief.advance.how")), amount.root, why.root],
    act: () => (!amount.said ? text("chief.amount") : why.said ? acts.advanceAward(award.award, amount.said, why.said) : text("sign.reason")),
    done: () => floor.tell(text("chief.advance.done")),
  });
}

/** @param {Floor} floor @param {Award} award */
function setAside(floor, award) {
  const why = new Reasons(["not_found"]);
  floor.sign({
    title: text("chief.aside.title", { award: award.award }),
    confirm: text("chief.aside.confirm"),
    two: true,
    extra: [element("p", {}, text("chief.aside.how")), why.root],
    act: () => (why.said ? acts.setAside(award.award, why.said) : text("sign.reason")),
    done: () => floor.tell(text("chief.aside.done")),
  });
}
