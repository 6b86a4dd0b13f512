/**
 * What is the matter for who sits at a seat: one sentence about his bet, his cards, his prize. Pure.
 *
 * The lamp in front of him is what he believes: only a steady one is a bet.
 */

/** @typedef {{seat: number, lamp: string, unit: number, line: string, keys?: number[], down?: number[], glass?: string, gate?: boolean, trouble?: string, broken?: boolean, can_break?: boolean, guest?: boolean, cards?: string[], hand?: string, bet?: number, credits?: number, promo?: number, owed?: number, valid?: boolean, locked?: boolean, closed?: string}} Seat */
/** @typedef {{award: string, seat: number, prize: string, amount: number, confirmed: boolean, waits?: boolean}} Prize */
/** @typedef {{name: string, kind: string, plugged: boolean}} Line */
/** @typedef {{table: string, title: string, modality: string, credit: number, croupier: "demo" | "leaving" | "person", day: string, phase: string, number: number, symbol: string, decimals: number, main: number, seats: Seat[], community: string[], lines: Line[], prizes: Prize[]}} Table */
/** @typedef {{key: string, why?: string, hand?: string, amount?: number}} Told */

/** @param {Table} table */
export function phaseOf(table) {
  return table.phase && !table.day ? "none" : table.phase;
}

/**
 * The word that says it, and what is to be filled in.
 * @param {Table} table
 * @param {Seat} seat
 * @returns {Told}
 */
export function told(table, seat) {
  const prize = prizeOf(table, seat);
  if (prize) return prize;
  if (!table.phase) return { key: "tell.node" };
  if (seat.trouble === "off" || seat.trouble === "loose") return { key: `tell.${seat.trouble}` };
  if (table.lines.some((line) => line.name === seat.line && !line.plugged)) return { key: "tell.loose" };
  if (seat.closed) return { key: "tell.closed", why: seat.closed };
  if (table.phase === "open") return { key: betting(table, seat) };
  if (table.phase === "sealed") return sealed(seat);
  return { key: table.phase === "locking" ? "tell.locking" : "tell.between" };
}

/**
 * @param {Table} table
 * @param {Seat} seat
 */
function betting(table, seat) {
  if (seat.bet && seat.lamp === "lit") return "tell.lit";
  if (seat.bet || seat.lamp === "blinking") return "tell.waits";
  if (seat.locked) return "tell.opening";
  if (seat.gate !== undefined) return "tell.chip";
  if (!seat.credits && !seat.promo) return table.croupier === "person" ? "tell.no_credits" : "tell.no_credits.demo";
  return "tell.bet";
}

/**
 * @param {Seat} seat
 * @returns {Told}
 */
function sealed(seat) {
  if (!seat.valid) return { key: "tell.sealed.out" };
  return seat.hand ? { key: "tell.sealed.won", hand: seat.hand } : { key: "tell.sealed.in" };
}

/**
 * The prize of his that is nearest to his hand.
 * @param {Table} table
 * @param {Seat} seat
 * @returns {Told | undefined}
 */
function prizeOf(table, seat) {
  const mine = table.prizes.filter((prize) => prize.seat === seat.seat);
  const prize = mine.find((one) => one.confirmed) ?? mine[0];
  if (!prize) return undefined;
  const how = prize.waits ? "waits" : prize.confirmed ? "confirmed" : "unconfirmed";
  return { key: `tell.won.${how}`, hand: prize.prize, amount: prize.amount };
}

/**
 * The seats where players see them: what the croupier has at his right hand they have at their left, and he stands at the top.
 * @template {{x: number, y: number}} Place
 * @param {Place[]} croupiers
 * @returns {Place[]}
 */
export function turned(croupiers) {
  return croupiers.map((place) => ({ ...place, x: 1 - place.x, y: 1 - place.y }));
}

/**
 * What can be broken at a seat, and what is broken and can be mended: the words of the desk.
 * @param {Table} table
 * @param {Seat} seat
 * @returns {{key: string, does: string}[]}
 */
export function mischief(table, seat) {
  const line = table.lines.find((one) => one.name === seat.line);
  const shares = table.seats.filter((one) => one.unit === seat.unit && one.line === seat.line).length > 1;
  const found = [];
  if (seat.can_break) found.push(seat.broken ? ["lamp.ok", `seat ${seat.seat} lamp ok`] : ["lamp.open", `seat ${seat.seat} lamp open`]);
  if (!shares && line?.kind !== "tcp") found.push(either(seat.trouble === "loose", "unit", `unit ${seat.line}/${seat.unit}`, "plug", "unplug"));
  found.push(either(seat.trouble === "off", "unit", `unit ${seat.line}/${seat.unit}`, "on", "off"));
  if (line) found.push(either(!line.plugged, "line", `line ${line.name}`, "plug", "unplug"));
  return found.map(([key, does]) => ({ key: key ?? "", does: does ?? "" }));
}

/**
 * @param {boolean} isBroken
 * @param {string} what
 * @param {string} words
 * @param {string} mends
 * @param {string} breaks
 */
function either(isBroken, what, words, mends, breaks) {
  const does = isBroken ? mends : breaks;
  return [`${what}.${does}`, `${words} ${does}`];
}
