/**
 * Who signs: every person who may, as a large button with his name. Nobody is ever chosen beforehand.
 */

import { element, mark } from "./element.js";
import { text } from "./texts.js";

/** @typedef {import("./vocabulary.js").Person} Person */

export class PeopleChooser {
  /**
   * @param {object} order
   * @param {string} order.label
   * @param {Person[]} order.people
   * @param {string[]} [order.roles] only who has one of these
   * @param {string[]} [order.without] persons who sign already
   * @param {(person: Person) => void} order.chosen
   */
  constructor({ label, people, roles, without = [], chosen }) {
    const may = people.filter((one) => !without.includes(one.person) && (!roles || roles.some((role) => one.roles.includes(role))));
    /** @type {Person | null} */
    this.person = null;
    const sorted = may.toSorted((one, other) => one.name.localeCompare(other.name, "es"));
    /** @type {[Person, HTMLButtonElement][]} */
    this.buttons = sorted.map((one) => [one, element("button", { type: "button", class: "person", "aria-pressed": "false" }, one.name)]);
    for (const [one, button] of this.buttons) {
      button.addEventListener("click", () => {
        this.choose(one.person);
        chosen(one);
      });
    }
    const none = this.buttons.length ? null : element("p", { class: "none" }, text("people.none"));
    const told = element("p", { class: "people-label" }, label);
    this.root = element("div", { class: "people", role: "group", "aria-label": label }, told, none, ...this.buttons.map(([, button]) => button));
  }

  /** @param {string} person */
  choose(person) {
    for (const [one, button] of this.buttons) {
      mark(button, "aria-pressed", one.person === person ? "true" : "false");
      if (one.person === person) this.person = one;
    }
  }
}
