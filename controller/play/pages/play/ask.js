/**
 * How the pages of a demonstration ask it: JSON, without a signature, because nothing here is anybody's money.
 */

const PATIENCE = 4000;

/** @typedef {{isDone: boolean, said: any, why: string}} Answered */

/**
 * @param {string} path below /play/
 * @returns {Promise<Answered>}
 */
export function look(path) {
  return asked(path, {});
}

/**
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Answered>}
 */
export function does(path, body) {
  return asked(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/**
 * @param {string} path
 * @param {RequestInit} how
 * @returns {Promise<Answered>}
 */
async function asked(path, how) {
  try {
    const answer = await fetch(`/play/${path}`, { ...how, signal: AbortSignal.timeout(PATIENCE) });
    const said = await answer.json();
    return { isDone: answer.ok, said, why: said.trouble?.message ?? "" };
  } catch {
    return { isDone: false, said: {}, why: "" };
  }
}
