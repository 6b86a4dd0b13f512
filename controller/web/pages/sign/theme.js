/**
 * What a sign wears: one style sheet over the plain one. Taken off, the plain theme stays until the page is loaded again.
 */

import { element } from "../ground/element.js";

export class Theme {
  constructor() {
    /** @type {HTMLLinkElement | null} */
    this.link = null;
    this.name = "";
    this.isPlain = false;
  }

  /** @param {string} name */
  wear(name) {
    if (this.isPlain || this.name === name) return;
    this.name = name;
    this.link?.remove();
    this.link = element("link", { rel: "stylesheet", href: `themes/${name}.css` });
    document.head.append(this.link);
  }

  /** @returns {boolean} whether there was one */
  takeOff() {
    this.isPlain = true;
    const worn = this.link !== null;
    this.link?.remove();
    this.link = null;
    return worn;
  }
}
