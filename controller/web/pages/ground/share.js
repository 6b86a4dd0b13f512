/**
 * One stream for all windows of a browser: one window reads it, the others are told over a channel.
 *
 * The window that holds the lock reads for all; when it closes the browser gives the lock to the next one. Each window says
 * which scopes it looks at, and the reader asks for all of them. A window that hears nothing while it is looked at takes the
 * lock away: whoever held it is asleep. What is heard is passed on as it came; nothing is understood here.
 */

/** @typedef {"whole" | "change" | "beat"} StreamEvent */
/** @typedef {{event: StreamEvent, data: any}} Heard */
/** @typedef {{says: "scopes", window: string, scopes: string[]} | {says: "who"} | {says: "heard", heard: Heard}} Message */

const AGAIN = 400;
const EVENTS = /** @type {StreamEvent[]} */ (["whole", "change", "beat"]);

export class SharedStream {
  /**
   * @param {object} wanted
   * @param {string} wanted.terminal windows of other terminals are none of ours
   * @param {string[]} wanted.scopes
   * @param {string} wanted.base where the API stands
   * @param {() => Promise<boolean>} wanted.renew whether there is a session to read with; makes one where it can
   * @param {(heard: Heard) => void} wanted.hear
   */
  constructor({ terminal, scopes, base, renew, hear }) {
    this.name = `pozo-stream/${terminal}`;
    this.base = base;
    this.renew = renew;
    this.hear = hear;
    this.window = crypto.randomUUID();
    /** @type {Map<string, string[]>} */
    this.scopes = new Map([[this.window, scopes]]);
    this.channel = new BroadcastChannel(this.name);
    /** @type {EventSource | null} */
    this.source = null;
    this.reads = false;
    this.opening = 0;
  }

  start() {
    this.channel.onmessage = ({ data }) => this.#told(data);
    this.#announce();
    this.#queue(false);
  }

  /** Nothing is heard: read it ourselves, and anew. */
  revive() {
    if (this.reads) void this.#open();
    else if (document.visibilityState === "visible") this.#queue(true);
  }

  /** @param {boolean} steal */
  #queue(steal) {
    const held = () => {
      this.reads = true;
      /** @type {Message} */
      const who = { says: "who" };
      this.channel.postMessage(who);
      void this.#open();
      return new Promise(() => {});
    };
    navigator.locks.request(this.name, steal ? { steal: true } : {}, held).catch(() => {
      this.reads = false;
      this.#close();
      this.#queue(false);
    });
  }

  #announce() {
    /** @type {Message} */
    const mine = { says: "scopes", window: this.window, scopes: this.scopes.get(this.window) ?? [] };
    this.channel.postMessage(mine);
  }

  /** @param {Message} message */
  #told(message) {
    if (message.says === "heard" && !this.reads) this.hear(message.heard);
    if (message.says === "who") this.#announce();
    if (message.says === "scopes") {
      const before = this.#wanted().join();
      this.scopes.set(message.window, message.scopes);
      if (this.reads && this.#wanted().join() !== before) void this.#open();
    }
  }

  #wanted() {
    return [...new Set([...this.scopes.values()].flat())].sort();
  }

  async #open() {
    this.#close();
    const turn = ++this.opening;
    const isAllowed = await this.renew();
    if (turn !== this.opening || !this.reads) return;
    if (!isAllowed) return this.#openLater(turn);
    const query = this.#wanted().map((scope) => `scope=${encodeURIComponent(scope)}`).join("&");
    const source = new EventSource(`${this.base}stream?${query}`);
    this.source = source;
    for (const event of EVENTS) {
      source.addEventListener(event, (message) => this.#pass({ event, data: JSON.parse(message.data) }));
    }
    source.onerror = () => {
      if (source === this.source) this.#openLater(turn);
    };
  }

  /** @param {number} turn */
  #openLater(turn) {
    this.#close();
    setTimeout(() => {
      if (turn === this.opening && this.reads) void this.#open();
    }, AGAIN);
  }

  #close() {
    this.source?.close();
    this.source = null;
  }

  /** @param {Heard} heard */
  #pass(heard) {
    /** @type {Message} */
    const message = { says: "heard", heard };
    this.channel.postMessage(message);
    this.hear(heard);
  }
}
