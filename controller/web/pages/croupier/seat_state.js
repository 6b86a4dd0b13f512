/**
 * One seat as a croupier sees it: its number, lamp, bet, credits, the one thing that is the matter, and whether it can be
 * tapped for what is being entered. Pure.
 */

/** @typedef {import("../ground/vocabulary.js").SeatEntity} SeatEntity */
/** @typedef {import("../ground/vocabulary.js").TableEntity} TableEntity */
/** @typedef {"lit" | "dark" | "waits" | "fault" | "unknown"} LampShape */
/** @typedef {"" | "closed" | "silent" | "unsigned" | "owed" | "unproven" | "fault" | "give_back" | "locked" | "next_pass" | "starting"} Matter */

/**
 * @typedef {object} SeatState
 * @property {number} seat
 * @property {LampShape} lamp
 * @property {number} bet
 * @property {number} credits
 * @property {number} promo
 * @property {Matter} matter
 * @property {string} why in the node's words, where it has some
 * @property {boolean} isGrave
 * @property {"" | "no_bet" | "lamp"} mayNotWin why a sealed pass pays it nothing
 */

/** What is the matter with a seat, the worst first: the name, whether it holds, and how grave it is. */
const GRAVE = new Set(["closed", "silent", "fault"]);

/**
 * @param {SeatEntity} seat
 * @param {TableEntity} table
 * @returns {SeatState}
 */
export function seatState(seat, table) {
  const matter = matterOf(seat, table);
  return {
    seat: seat.seat,
    lamp: lampOf(seat),
    bet: seat.bet ?? 0,
    credits: seat.credits ?? 0,
    promo: seat.promo ?? 0,
    matter,
    why: matter === "closed" ? (seat.closed ?? "") : matter === "fault" ? (seat.faults ?? []).join(" ") : "",
    isGrave: GRAVE.has(matter),
    mayNotWin: table.phase === "sealed" && !seat.valid ? (seat.why === "lamp" ? "lamp" : "no_bet") : "",
  };
}

/**
 * The lamp that the unit reports, beside the one that it should show: only a steady lamp is a bet.
 * @param {SeatEntity} seat
 * @returns {LampShape}
 */
function lampOf(seat) {
  if (seat.light === "fault" || seat.lamp === "fault") return "fault";
  if (seat.lamp === "lit") return "lit";
  if (seat.light === "steady" || seat.lamp === "blinking") return "waits";
  return seat.lamp === "unknown" ? "unknown" : "dark";
}

/**
 * What its unit complains of. That it is switched off is no fault of a seat that is closed: so it was told.
 * @param {SeatEntity} seat
 */
export const faultsOf = (seat) => (seat.faults ?? []).filter((one) => !(seat.closed && one === "disabled"));

/**
 * @param {SeatEntity} seat
 * @param {TableEntity} table
 * @returns {Matter}
 */
function matterOf(seat, table) {
  if (seat.closed) return "closed";
  if (seat.health === "down") return "silent";
  if (seat.health === "starting") return "starting";
  if (seat.unsigned) return "unsigned";
  if (seat.owed) return "owed";
  if ((table.unproven ?? []).includes(seat.seat)) return "unproven";
  if (seat.faults?.length) return "fault";
  if (seat.give_back) return "give_back";
  if (table.phase !== "open" || !seat.unit_locked) return "";
  if (seat.waits !== "pass") return "locked";
  return seat.bet ? "" : "next_pass"; // its bet stands, and that is all it can do in this pass
}

/** What can be done at a seat by a croupier, in the order in which it is shown. */
export const SERVICES = /** @type {const} */ (["buy", "cash_out", "pay_owed", "lamp_dark", "void_hand", "show_card", "close_seat"]);

/** @typedef {typeof SERVICES[number]} Service */

/**
 * @param {SeatEntity} seat
 * @param {TableEntity} table
 * @returns {Service[]}
 */
export function servicesAt(seat, table) {
  const hasBet = (seat.bet ?? 0) > 0;
  /** @type {Record<Service, boolean>} */
  const may = {
    buy: !seat.closed && (table.credit ?? 0) > 0,
    cash_out: (seat.credits ?? 0) > 0,
    pay_owed: (seat.owed ?? 0) > 0,
    lamp_dark: table.phase === "open" && hasBet,
    void_hand: table.phase !== "between" && hasBet,
    show_card: table.phase === "sealed" && Object.keys(table.cards ?? {}).length > 0 && Boolean(seat.valid),
    close_seat: !seat.closed,
  };
  return SERVICES.filter((service) => may[service]);
}
