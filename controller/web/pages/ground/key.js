/**
 * The terminal's own key: made in this browser, never out of it, and the signature under everything that is asked.
 *
 * ECDSA on P-256. The private half is not extractable and lies in IndexedDB; two persons let its public half in at
 * enrolment. Who copies a cookie has no key, and who has the key stands at this terminal.
 */

const DATABASE = "pozo";
const STORE = "terminals";
const KIND = { name: "ECDSA", namedCurve: "P-256" };
const HOW = { name: "ECDSA", hash: "SHA-256" };

/** @typedef {"table" | "chief" | "sign"} Use */

/**
 * @typedef {object} Terminal
 * @property {string} terminal
 * @property {Use} use
 * @property {string} place
 * @property {CryptoKeyPair} pair
 */

/** A key that no program can read, not even this one. */
export async function makePair() {
  return /** @type {CryptoKeyPair} */ (await crypto.subtle.generateKey(KIND, false, ["sign", "verify"]));
}

/**
 * The public half as it stands on record: the uncompressed point, 130 hexadecimal digits.
 * @param {CryptoKeyPair} pair
 */
export async function publicHalf(pair) {
  return hexadecimal(new Uint8Array(await crypto.subtle.exportKey("raw", pair.publicKey)));
}

/**
 * @param {CryptoKeyPair} pair
 * @param {string} said
 * @returns {Promise<string>} base64url of r and s
 */
export async function signature(pair, said) {
  const made = await crypto.subtle.sign(HOW, pair.privateKey, new TextEncoder().encode(said));
  return base64url(new Uint8Array(made));
}

/** @param {Uint8Array} bytes */
export function hexadecimal(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Uint8Array} bytes */
export function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** An id for an act: 128 bits by chance. */
export function newId() {
  return hexadecimal(crypto.getRandomValues(new Uint8Array(16)));
}

/** @returns {Promise<Terminal[]>} every terminal that this browser is */
export async function terminalsHere() {
  return read(await opened(), (store) => store.getAll());
}

/**
 * @param {Use} use
 * @param {string} [place] the first one of that use, where none is named
 * @returns {Promise<Terminal | undefined>}
 */
export async function terminalFor(use, place) {
  const found = await terminalsHere();
  return found.find((one) => one.use === use && (!place || one.place === place));
}

/** @param {Terminal} terminal */
export async function keepTerminal(terminal) {
  await written(await opened(), (store) => store.put(terminal));
}

/** A terminal that nobody lets in any more. @param {string} name */
export async function forgetTerminal(name) {
  await written(await opened(), (store) => store.delete(name));
}

/**
 * @param {IDBDatabase} database
 * @param {(store: IDBObjectStore) => void} change
 */
function written(database, change) {
  const done = database.transaction(STORE, "readwrite");
  change(done.objectStore(STORE));
  return new Promise((resolve, reject) => {
    done.oncomplete = resolve;
    done.onerror = () => reject(done.error);
  });
}

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE, { keyPath: "terminal" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/**
 * @template Found
 * @param {IDBDatabase} database
 * @param {(store: IDBObjectStore) => IDBRequest<Found>} question
 * @returns {Promise<Found>}
 */
function read(database, question) {
  return new Promise((resolve, reject) => {
    const asked = question(database.transaction(STORE).objectStore(STORE));
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}
