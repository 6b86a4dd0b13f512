/**
 * What an answer of the web process means for the person who asked. Pure.
 *
 * `done`: it stands on record. `refused`: a rule, a wrong PIN, something not understood; it will not be otherwise by itself.
 * `again`: no answer yet, or one that does not say whether it was done: ask the same again under the same id. `session`: this
 * terminal has to show its key anew. `ticket`: who signed in is asked his PIN once more.
 */

/** @typedef {import("./vocabulary.js").Reply} Reply */
/** @typedef {import("./vocabulary.js").Trouble} Trouble */
/** @typedef {"done" | "refused" | "again" | "session" | "ticket"} Meaning */
/** @typedef {{meaning: Meaning, status: number, reply: Reply, trouble?: Trouble}} Answer */

const NOBODY = 0;
const AGAIN = new Set([NOBODY, 202, 500, 502, 503, 504]);

/**
 * @param {number} status of HTTP; 0: nobody answered
 * @param {unknown} body
 * @returns {Answer}
 */
export function answerOf(status, body) {
  const reply = /** @type {Reply} */ (typeof body === "object" && body !== null ? body : {});
  const trouble = reply.trouble;
  return { meaning: meaningOf(status, trouble?.reason ?? ""), status, reply, ...(trouble ? { trouble } : {}) };
}

/**
 * @param {number} status
 * @param {string} reason
 * @returns {Meaning}
 */
function meaningOf(status, reason) {
  if (AGAIN.has(status)) return "again";
  if (reason === "ticket_over" || reason === "pin_needed") return "ticket";
  if (status === 401) return "session";
  return status >= 200 && status < 300 ? "done" : "refused";
}
