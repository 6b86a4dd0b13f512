/**
 * The keyboard of who has one: a digit is its seat, F2 opens, F3 locks, F4 registers, as at the console in a terminal.
 *
 * A key does what a tap on the same button does, with the same guards; while a sheet is open the sheet has the keyboard.
 */

/** @type {Record<string, string[]>} */
const KEYS = { F2: ["open", "reopen", "next"], F3: ["lock"], F4: ["register"] };

/** @param {import("./felt.js").Felt} felt */
export function listenToKeys(felt) {
  addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    if (/^[1-9]$/.test(event.key)) return felt.tapSeat(Number(event.key));
    if (!(event.key in KEYS)) return;
    event.preventDefault();
    if (KEYS[event.key]?.includes(felt.next)) felt.button.click();
  });
}
