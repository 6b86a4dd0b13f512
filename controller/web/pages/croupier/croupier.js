/**
 * The croupier's page: what is live becomes what is seen, at most once a frame, and once a second for what only time changes.
 */

import { element, fill } from "../ground/element.js";
import { dims } from "../ground/guard.js";
import { newId } from "../ground/key.js";
import { begin } from "../ground/start.js";
import { alarmText, troubleText } from "../ground/said.js";
import { recorded, text } from "../ground/texts.js";
import { awardState } from "./award_state.js";
import { handOf, isEmpty, isReady } from "./draft.js";
import { cardText } from "./faces.js";
import { bodyFor, register } from "./registering.js";
import { listenToKeys } from "./keys.js";
import { Noting, othersAt } from "./noting.js";
import { Screen } from "./screen.js";
import { seatState } from "./seat_state.js";
import { seatsOfTheNextPass, shutSeats, tableState } from "./table_state.js";

const SECOND = 1000;
const PEOPLE_EVERY = 60_000;
const DARK_AFTER = 240_000;
const LOOK_AGAIN = 1500;
/** Units need a moment after a pass was opened; seats that are shut for longer came back. */
const SHUT_FOR = 2000;

/** @typedef {import("../ground/vocabulary.js").SeatEntity} SeatEntity */
/** @typedef {import("../ground/vocabulary.js").TableEntity} TableEntity */

class Page {
  /** @param {Screen} screen */
  constructor(screen) {
    this.screen = screen;
    this.isQueued = false;
    this.lookedAt = 0;
    this.phase = "";
    this.shutSince = 0;
    this.noting = new Noting(screen.api, screen.table);
    this.stir = dims({ after: DARK_AFTER });
    this.services = element("button", { type: "button", class: "serve", click: () => this.#serve() }, text("table.serve"));
    screen.side.foot.append(this.services);
    this.main = element("main", {}, screen.felt.root, screen.side.root);
    document.body.append(screen.bar.root, this.main);
    screen.changed = () => this.queue();
    screen.live.onChange(() => this.queue());
    screen.live.onStanding(() => this.queue());
    setInterval(() => this.queue(), SECOND);
    listenToKeys(screen.felt);
  }

  queue() {
    if (this.isQueued) return;
    this.isQueued = true;
    requestAnimationFrame(() => {
      this.isQueued = false;
      this.show();
    });
  }

  #serve() {
    this.screen.serves = !this.screen.serves;
    this.queue();
  }

  show() {
    const { screen } = this;
    const { node, table, seats, pot } = screen.known();
    const now = screen.live.nodeTime;
    screen.forgetOvertaken();
    const { draft } = screen;
    const isGone = screen.live.standing === "silent" || screen.live.standing === "no_node";
    for (const part of [screen.felt.root, screen.side.root]) part.inert = isGone;
    document.title = `POZO · ${screen.table}`;
    document.body.toggleAttribute("data-training", Boolean(table?.training));
    screen.bar.show({ name: text("table.title", { table: screen.table }), table, pot, node, person: screen.person?.name ?? "", now });
    const shut = this.#shut(table, seats);
    const isShut = shut.length > 0 && shut.length === seats.filter((seat) => !seat.closed && seat.health === "up").length;
    const state = tableState({ standing: screen.live.standing, node, table, pot, now, isDraftReady: draft !== null && !isEmpty(draft), isShut });
    const isChosen = screen.chosen > 0;
    const next = isChosen && draft && !isEmpty(draft) ? "register" : state.next;
    const isPass = next === "register";
    screen.felt.showState({ ...state, next }, {
      what: this.#what(table, isChosen, isShut ? [] : shut),
      label: isPass && draft ? `${text("next.register")} · ${text("table.pass", { n: draft.pass })}` : "",
      meaning: `${next} ${table?.number}`,
      isBusy: screen.isBusy,
    });
    this.#seats(table, seats, draft);
    this.#side(table, draft, now);
    this.services.hidden = table?.phase !== "sealed" || isChosen || (draft !== null && !isEmpty(draft)); // one thing at a time
    this.services.setAttribute("aria-pressed", screen.serves ? "true" : "false");
    if (table && table.phase !== this.phase) {
      this.phase = table.phase;
      screen.serves = false;
      screen.felt.passOn();
      this.stir();
    }
    this.#note(draft);
    void this.#look(draft);
  }

  /** The seats that are shut for longer than units need. @param {TableEntity | undefined} table @param {SeatEntity[]} seats */
  #shut(table, seats) {
    const shut = shutSeats(table, seats);
    if (!shut.length) this.shutSince = 0;
    else this.shutSince ||= performance.now();
    return shut.length && performance.now() - this.shutSince >= SHUT_FOR ? shut : [];
  }

  /** What another console enters is seen here, and what this one enters there. @param {import("./draft.js").Draft | null} draft */
  #note(draft) {
    const { screen } = this;
    const isEntering = draft !== null && !isEmpty(draft) && screen.live.isLive;
    if (screen.live.isLive) this.noting.say(isEntering ? (draft?.pass ?? 0) : 0, performance.now());
    /** @type {import("../ground/vocabulary.js").NoteEntity | undefined} */
    const note = screen.live.one(`note/${screen.table}`);
    const others = othersAt(note, screen.api.terminal.terminal, screen.passEntered());
    screen.side.showOther(others.length ? text("winners.other", { n: screen.passEntered(), who: others.join(", ") }) : "");
  }

  /** @param {TableEntity | undefined} table @param {boolean} isChosen @param {number[]} shut */
  #what(table, isChosen, shut) {
    const { screen } = this;
    if (isChosen && !screen.draft?.corrects) return text("winners.late.how", { n: screen.chosen });
    if (isChosen) return text(screen.draft && !isEmpty(screen.draft) ? "winners.correct.how" : "winners.correct.none");
    if (shut.length) return text("state.open.shut", { seats: shut.join(", ") });
    const out = seatsOfTheNextPass(table, screen.known().seats);
    if (out.length) return text("state.open.next_pass", { seats: out.join(", ") });
    if (table?.draws?.length) return text("draws.waiting", { prize: table.draws.join(", ") });
    const card = Object.entries(table?.cards ?? {})[0];
    if (card) return text("cards.drawn", { prize: card[0], card: cardText(card[1]) });
    return table?.phase === "sealed" && screen.awards.some((award) => award.award.split("/")[1] === `${table.number}`) ? text("state.sealed.pay") : "";
  }

  /**
   * @param {TableEntity | undefined} table
   * @param {SeatEntity[]} seats
   * @param {import("./draft.js").Draft | null} draft
   */
  #seats(table, seats, draft) {
    if (!table) return this.screen.felt.showSeats([]);
    const { currency } = this.screen.at(0);
    const isOfNow = !this.screen.chosen && this.screen.isEntering;
    this.screen.felt.showSeats(seats.map((seat) => {
      const state = seatState(seat, table);
      const hand = draft?.hands.some((one) => one.seat === seat.seat) ? handOf(draft, seat.seat) : null;
      const hint = isOfNow && state.mayNotWin ? text(`matter.${state.mayNotWin}`) : "";
      return { state, currency, hand, hint, mayTap: this.screen.live.isLive && !(isOfNow && state.mayNotWin) };
    }));
  }

  /**
   * @param {TableEntity | undefined} table
   * @param {import("./draft.js").Draft | null} draft
   * @param {number} now
   */
  #side(table, draft, now) {
    const { screen } = this;
    const { currency } = screen.at(0);
    const before = screen.chosen || (table?.phase === "sealed" ? table.number : Infinity);
    const left = screen.drafts.left(before).filter((one) => one.pass !== screen.chosen);
    fill(screen.side.left, left.map((one) => this.#left(one)));
    const corrects = draft?.corrects ?? false;
    screen.side.showDraft({
      draft: draft && (screen.chosen || !isEmpty(draft)) ? draft : null,
      title: draft ? text(corrects ? "winners.correct" : screen.chosen ? "winners.late" : "winners.title", { n: draft.pass }) : "",
      preview: screen.looked.preview, trouble: screen.looked.trouble, currency,
      buttons: draft ? this.#buttons(draft) : [],
    });
    screen.side.showAwards(screen.awards.map((award) => awardState(award, table, now)), currency);
    /** @type {import("../ground/vocabulary.js").AlarmEntity[]} */
    const alarms = screen.live.all("alarm/");
    /** @type {import("../ground/vocabulary.js").InquiryEntity[]} */
    const inquiries = screen.live.all("inquiry/");
    const here = alarms.filter((one) => one.where.split("/")[0] === screen.table || !one.where.includes("/"));
    screen.side.showAlarms([...inquiries.map((one) => text("inquiry.reading", { n: one.percent })), ...here.map(alarmText)]);
    screen.side.settle();
  }

  /** @param {import("./draft.js").Draft} draft @returns {Node[]} */
  #buttons(draft) {
    const key = `${draft.pass} ${this.screen.chosen}`;
    if (this.made?.key !== key) {
      const drop = element("button", { type: "button", click: () => this.screen.askDrop(draft.pass) }, text("winners.drop"));
      const leave = element("button", { type: "button", click: () => this.screen.leave() }, text("winners.leave"));
      this.made = { key, buttons: this.screen.chosen ? [leave, drop] : [drop] };
    }
    return this.made.buttons;
  }

  /** @type {{key: string, buttons: Node[]} | undefined} */
  made;
  /** @type {Map<number, Element>} */
  lefts = new Map();

  /** A draft of a pass that was ended before anybody registered it. @param {import("./draft.js").Draft} draft */
  #left(draft) {
    const kept = this.lefts.get(draft.pass);
    if (kept) return kept;
    const go = element("button", { type: "button", class: "first", click: () => void this.#registerLeft(draft.pass) }, text("winners.register"));
    const drop = element("button", { type: "button", click: () => this.screen.askDrop(draft.pass) }, text("winners.drop"));
    const made = element("section", { class: "left-draft" }, element("strong", {}, text("winners.left", { n: draft.pass })), go, drop);
    this.lefts.set(draft.pass, made);
    return made;
  }

  /** @param {number} pass */
  async #registerLeft(pass) {
    const draft = this.screen.drafts.begun(pass);
    if (!draft || !(await this.screen.ensurePerson())) return;
    if (isReady(draft)) register(this.screen, draft);
    else this.screen.enter(pass);
  }

  /** What the draft would pay, from the node: when it changed, and again while the pot goes on. @param {import("./draft.js").Draft | null} draft */
  async #look(draft) {
    const { screen } = this;
    const isToLookAt = draft !== null && isReady(draft) && !screen.isAsOnRecord(draft);
    // Each look is one with her ticket: while nobody touches the screen there is none, or the ticket would never be over.
    if (!draft || !screen.person || !screen.live.isLive || !isToLookAt || document.documentElement.hasAttribute("data-dimmed")) {
      if (!isToLookAt) screen.looked = { of: "", preview: null, trouble: "" };
      return;
    }
    const of = JSON.stringify(draft);
    const now = performance.now();
    if (screen.looked.of === of && now - this.lookedAt < LOOK_AGAIN) return;
    screen.looked = { ...screen.looked, of };
    this.lookedAt = now;
    const asked = /** @type {{ask?: unknown}} */ (bodyFor(screen, draft, { reason: recorded("reason.missed") }));
    const answer = await screen.api.post("preview", { id: newId(), ask: asked.ask, by: { person: screen.person.person } });
    if (screen.looked.of !== of) return;
    const isDone = answer.meaning === "done";
    const trouble = answer.meaning === "refused" ? troubleText(answer.trouble) : "";
    if (isDone || trouble) screen.looked = { of, preview: isDone ? (answer.reply.preview ?? null) : null, trouble };
    this.queue();
  }
}

const screen = new Screen(await begin("table", (place) => [`table:${place}`]));
const page = new Page(screen);
await screen.readHouse();
setInterval(() => void screen.readPeople(), PEOPLE_EVERY);
page.queue();
